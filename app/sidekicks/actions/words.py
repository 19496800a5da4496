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
        "nothing_runs": (
            "Nothing runs in this conversation.",
            "Rien ne tourne dans cette conversation.",
        ),
    }
)
