"""What actions say when they refuse."""

from sidekicks.base.words import Words

say = Words(
    {
        "bad_setting": (
            "These settings cannot be taken: {error}.",
            "Ces réglages ne peuvent pas être pris : {error}.",
        ),
        "bad_link": (
            "Only web and mail links can be opened.",
            "Seuls les liens web et de courriel peuvent être ouverts.",
        ),
        "no_browser": (
            "No browser could be started. Copy the link: {url}",
            "Aucun navigateur n’a pu être lancé. Copiez le lien : {url}",
        ),
        "config_good": (
            "The configuration {file} is understood; agents: {count}.",
            "La configuration {file} est comprise ; agents : {count}.",
        ),
        "expected": ("Expected: {expected}.", "Attendu : {expected}."),
        "report": ("Sidekicks doctor, {at}", "Examen de Sidekicks, {at}"),
        "report_computer": ("The app and this computer", "L’application et cet ordinateur"),
        "report_no_agents": (
            "There are no agents to examine.",
            "Il n’y a pas d’agent à examiner.",
        ),
        "report_ok": ("No problem was found.", "Aucun problème n’a été trouvé."),
        "report_note": (
            "No problem was found; the notes are worth reading.",
            "Aucun problème n’a été trouvé ; les remarques méritent d’être lues.",
        ),
        "report_problem": (
            "There is something to mend: see what is marked as a problem.",
            "Il y a quelque chose à réparer : voyez ce qui est marqué comme problème.",
        ),
        "mark_ok": ("ok", "bien"),
        "mark_note": ("note", "remarque"),
        "mark_problem": ("PROBLEM", "PROBLÈME"),
    }
)
