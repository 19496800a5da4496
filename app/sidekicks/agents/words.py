"""What is said about agents."""

from sidekicks.base.words import Words

say = Words(
    {
        "no_agent": (
            "There is no agent “{agent}” in the configuration.",
            "Il n’y a pas d’agent « {agent} » dans la configuration.",
        ),
        "only_workspace": (
            "{name} has no command in the configuration: it is a workspace only. "
            "Add `command:` to talk with it.",
            "{name} n’a pas de commande dans la configuration : c’est un espace de travail seul. "
            "Ajoutez `command:` pour lui parler.",
        ),
        "crashed": (
            "{name} {exit}. Its next message starts it again.",
            "{name} {exit}. Son prochain message le relance.",
        ),
        "no_answer": (
            "{name} did not answer “{method}” within {seconds} s. Look at its log, or restart it.",
            "{name} n’a pas répondu à « {method} » en {seconds} s. "
            "Regardez son journal, ou relancez-le.",
        ),
        "bad_answer": (
            "{name} refused “{method}”: {message} (code {code}).",
            "{name} a refusé « {method} » : {message} (code {code}).",
        ),
        "wrong_protocol": (
            "{name} speaks version {theirs} of the protocol, Sidekicks speaks version {ours}. "
            "Update the agent, or Sidekicks.",
            "{name} parle la version {theirs} du protocole, Sidekicks la version {ours}. "
            "Mettez à jour l’agent, ou Sidekicks.",
        ),
        "sign_in": (
            "{name} wants you to sign in first{methods}.",
            "{name} demande d’abord une connexion{methods}.",
        ),
        "stopped_meanwhile": (
            "{name} was stopped.",
            "{name} a été arrêté.",
        ),
        "places_full": (
            "{count} of {count} agents are running and all are busy: {names}. "
            "Stop one, or raise maxRunning.",
            "{count} agents sur {count} tournent et tous sont occupés : {names}. "
            "Arrêtez-en un, ou augmentez maxRunning.",
        ),
        "no_permission": (
            "This question is no longer open.",
            "Cette question n’est plus ouverte.",
        ),
        "no_option": (
            "“{option}” is not one of the answers that the agent offers.",
            "« {option} » n’est pas une des réponses que l’agent propose.",
        ),
        "no_session": (
            "{name} has no session here yet. Send a message first.",
            "{name} n’a pas encore de session ici. Envoyez d’abord un message.",
        ),
        "log_start": ("start: {command} (in {cwd})", "départ : {command} (dans {cwd})"),
        "log_ready": (
            "ready after {seconds:.1f} s: {agent}, protocol {version}",
            "prêt après {seconds:.1f} s : {agent}, protocole {version}",
        ),
        "log_stop": ("stop", "arrêt"),
        "log_exit": ("ended: {exit}", "terminé : {exit}"),
        "log_left": (
            "left running, as it detached itself: {command} (pid {pid})",
            "laissé en marche, car détaché : {command} (pid {pid})",
        ),
        "log_session_new": ("new session {session}", "nouvelle session {session}"),
        "log_session_loaded": ("session {session} loaded", "session {session} rechargée"),
        "log_session_broken": (
            "session {session} does not survive the Stop, the next message opens a new one",
            "la session {session} ne survit pas à l’arrêt, le prochain message en ouvre une autre",
        ),
        "log_session_lost": (
            "the session of before could not be loaded, a new one is opened: {message}",
            "la session précédente n’a pas pu être rechargée, une nouvelle est ouverte : {message}",
        ),
        "no_rule": ("This rule does not exist (any more).", "Cette règle n’existe pas (ou plus)."),
        "no_remembering": (
            "Only a single “once” answer to a known kind of tool can be kept as a rule.",
            "Seule une réponse unique « une fois » à un type d’outil connu peut devenir une règle.",
        ),
        "no_method": (
            "{name} has no way to sign in called “{method}” that Sidekicks can use.",
            "{name} n’a pas de connexion « {method} » que Sidekicks puisse utiliser.",
        ),
        "log_failed": ("failed: {message}", "échec : {message}"),
    }
)
