"""What the command line and the start say."""

from sidekicks.base.words import Words

say = Words(
    {
        "fault": (
            "Something went wrong in Sidekicks ({name}, incident {incident}). Its log tells more.",
            "Une erreur s’est produite dans Sidekicks ({name}, incident {incident}). "
            "Son journal en dit plus.",
        ),
        "about": (
            "One person, several AI agents: channels, files and terminals.",
            "Une personne, plusieurs agents IA : canaux, fichiers et terminaux.",
        ),
        "help_config": (
            "the configuration file (by default {path})",
            "le fichier de configuration (par défaut {path})",
        ),
        "help_selftest": (
            "open the window, run one turn of the bundled agent, print timings, and end",
            "ouvrir la fenêtre, faire un tour de l’agent fourni, afficher les temps, et finir",
        ),
        "help_version": ("print the version", "afficher la version"),
        "help_serve": (
            "give the same interface to a browser on this machine",
            "donner la même interface à un navigateur de cette machine",
        ),
        "help_port": (
            "the port (by default a free one)",
            "le port (par défaut un port libre)",
        ),
        "help_json": ("print JSON", "afficher du JSON"),
        "help_open": ("open the link in the browser", "ouvrir le lien dans le navigateur"),
        "help_ask": (
            "ask an agent one thing and print its answer",
            "demander une chose à un agent et afficher sa réponse",
        ),
        "help_who": ("an agent’s id or name", "l’identifiant ou le nom d’un agent"),
        "help_text": ("what to say (`-` reads it)", "ce qu’il faut dire (`-` le lit)"),
        "help_doctor": (
            "start each agent once, look at the rest, and say what to do",
            "lancer chaque agent une fois, regarder le reste, et dire quoi faire",
        ),
        "help_doctor_who": (
            "only this agent, by id or name",
            "cet agent seulement, par identifiant ou nom",
        ),
        "help_agent": (
            "the bundled agent, on standard input and output",
            "l’agent fourni, sur l’entrée et la sortie standard",
        ),
        "link": (
            "Sidekicks is at\n  {url}\nThe link works once. Ctrl-C ends it.",
            "Sidekicks est à\n  {url}\nLe lien sert une fois. Ctrl-C termine.",
        ),
        "next_link": (
            "For another browser window:\n  {url}",
            "Pour une autre fenêtre de navigateur :\n  {url}",
        ),
        "no_ui": (
            "The interface is not built. Run `make run`, or `npm run build` in ui/.",
            "L’interface n’est pas construite. Lancez `make run`, ou `npm run build` dans ui/.",
        ),
        "no_such_agent": (
            "There is no agent “{who}”. There are: {names}.",
            "Il n’y a pas d’agent « {who} ». Il y a : {names}.",
        ),
        "asks_permission": (
            "{agent} asks: {title}",
            "{agent} demande : {title}",
        ),
        "needs_person": (
            "Nobody can answer here, so the answer was stopped. Ask in a terminal, or in the app.",
            "Personne ne peut répondre ici, la réponse a donc été arrêtée. "
            "Demandez dans un terminal, ou dans l’application.",
        ),
        "selftest_late": (
            "The self-test waited too long for: {step}.",
            "L’autotest a attendu trop longtemps : {step}.",
        ),
        "gone": (
            "Sidekicks has ended meanwhile. Start it again.",
            "Sidekicks s’est arrêté entre-temps. Relancez-le.",
        ),
        "choose": ("Your choice (1-{count}): ", "Votre choix (1-{count}) : "),
        "running_already": (
            "Sidekicks is already running for {path}.",
            "Sidekicks tourne déjà pour {path}.",
        ),
        "long_path": (
            "The path {path} is longer than the {limit} bytes that a socket’s may have. "
            "Set XDG_STATE_HOME to a shorter folder.",
            "Le chemin {path} dépasse les {limit} octets permis pour un socket. "
            "Donnez un dossier plus court à XDG_STATE_HOME.",
        ),
        "no_state": (
            "Sidekicks cannot write in {path} ({error}). Give yourself access to that folder, "
            "then start again.",
            "Sidekicks ne peut pas écrire dans {path} ({error}). Donnez-vous accès à ce dossier, "
            "puis relancez.",
        ),
    }
)
