"""What the doctor says about an agent."""

from typing import Final

from sidekicks.base.words import Words

say: Final = Words({
    "app_ends": (
        "Sidekicks is closing, so the examination was broken off. Start it again to go on.",
        "Sidekicks se ferme, l’examen a donc été interrompu. Relancez-le pour continuer.",
    ),
    # Before the start.
    "folder_good": (
        "The folder {folder} is there, and can be read and written.",
        "Le dossier {folder} existe, et peut être lu et modifié.",
    ),
    "folder_no_writing": (
        "The folder {folder} can be read, but nothing can be written there.",
        "Le dossier {folder} peut être lu, mais rien ne peut y être écrit.",
    ),
    "folder_give_access": (
        "Give yourself the right to write there, or choose another folder.",
        "Donnez-vous le droit d’y écrire, ou choisissez un autre dossier.",
    ),
    "disk_silent": (
        "The disk did not answer within {seconds} s. Look at the disk of the folder {folder}, and"
        " at those in PATH.",
        "Le disque n’a pas répondu en {seconds} s. Vérifiez le disque du dossier {folder}, et ceux"
        " de PATH.",
    ),
    "only_folder": (
        "It has no command: it is a folder without a conversation, so nothing is started.",
        "Il n’a pas de commande : c’est un dossier sans conversation, rien n’est donc lancé.",
    ),
    "environment": (
        "Its environment is yours, with the login shell’s variables ({login}) and those of the"
        " configuration ({config}).",
        "Son environnement est le vôtre, avec les variables du shell de connexion ({login}) et"
        " celles de la configuration ({config}).",
    ),
    "from_login": ("from the login shell: {names}", "du shell de connexion : {names}"),
    "from_config": ("from the configuration: {names}", "de la configuration : {names}"),
    "path": ("folders of PATH: {folders}", "dossiers de PATH : {folders}"),
    "program_bundled": (
        "Its program is Sidekicks itself.",
        "Son programme est Sidekicks lui-même.",
    ),
    "program": ("Its program is {program}.", "Son programme est {program}."),
    "script": (
        "Its program is {program}, a script that {interpreter} runs.",
        "Son programme est {program}, un script exécuté par {interpreter}.",
    ),
    # The start.
    "spawned": ("The program runs.", "Le programme tourne."),
    "answered": ("It answered “initialize”.", "Il a répondu à « initialize »."),
    "no_initialize": (
        "It did not answer “initialize” within {seconds} s.",
        "Il n’a pas répondu à « initialize » en {seconds} s.",
    ),
    "no_initialize_advice": (
        "See that its command and args start it as an agent that speaks ACP. A very first start may"
        " take longer: examine it once more.",
        "Vérifiez que command et args le lancent comme un agent qui parle ACP. Un tout premier"
        " démarrage peut être plus long : examinez-le encore une fois.",
    ),
    "ended_early": (
        "Its program {exit} before it had answered “initialize”.",
        "Son programme {exit} avant d’avoir répondu à « initialize ».",
    ),
    "ended_early_advice": (
        "What it wrote says why; run its command in a terminal to see more.",
        "Ce qu’il a écrit dit pourquoi ; lancez sa commande dans un terminal pour en voir plus.",
    ),
    "agent": (
        "It is {agent}, and speaks version {version} of the protocol.",
        "C’est {agent}, qui parle la version {version} du protocole.",
    ),
    "can": ("It can: {abilities}.", "Il sait : {abilities}."),
    "can_nothing": (
        "It says of no ability beyond plain conversation.",
        "Il n’annonce aucune capacité au-delà de la simple conversation.",
    ),
    "cannot_reopen": (
        "It cannot reopen conversations: after a restart Sidekicks tells it what was said.",
        "Il ne sait pas rouvrir de conversation : après un redémarrage, Sidekicks lui redit ce qui"
        " a été dit.",
    ),
    "can_load": (
        "reopen conversations with their history",
        "rouvrir des conversations avec leur historique",
    ),
    "can_resume": ("go on with earlier conversations", "reprendre des conversations"),
    "can_list": ("list earlier conversations", "lister ses conversations"),
    "can_fork": ("branch conversations off", "dédoubler des conversations"),
    "can_close": ("close conversations", "fermer des conversations"),
    "can_delete": ("delete conversations", "supprimer des conversations"),
    "can_folders": ("work in several folders", "travailler dans plusieurs dossiers"),
    "can_images": ("look at images", "regarder des images"),
    "can_audio": ("listen to audio", "écouter de l’audio"),
    "can_embed": ("take files within a message", "recevoir des fichiers dans un message"),
    "can_http": ("reach MCP servers over HTTP", "joindre des serveurs MCP par HTTP"),
    "can_sse": ("reach MCP servers over SSE", "joindre des serveurs MCP par SSE"),
    "can_sign_out": ("sign out", "se déconnecter"),
    # A session, and signing in.
    "session": (
        "A conversation could be opened in its folder.",
        "Une conversation a pu être ouverte dans son dossier.",
    ),
    "no_session": (
        "It did not open a conversation within {seconds} s.",
        "Il n’a pas ouvert de conversation en {seconds} s.",
    ),
    "no_session_advice": (
        "What it wrote may say why. Its MCP servers start now: try it without them.",
        "Ce qu’il a écrit dit peut-être pourquoi. Ses serveurs MCP démarrent à ce moment :"
        " essayez sans eux.",
    ),
    "session_left": (
        "The conversation that was opened for this stays in the agent’s own list: it has no way to"
        " remove it.",
        "La conversation ouverte pour cet examen reste dans la liste de l’agent : il n’a pas de"
        " moyen de la supprimer.",
    ),
    "session_not_removed": (
        "The conversation that was opened for this could not be removed from the agent’s own"
        " list: {message}",
        "La conversation ouverte pour cet examen n’a pas pu être supprimée de la liste de"
        " l’agent : {message}",
    ),
    "sign_in_wanted": (
        "It wants you to sign in before it works.",
        "Il demande une connexion avant de travailler.",
    ),
    "sign_in_choose": (
        "Sign in by one of the ways below.",
        "Connectez-vous par un des moyens ci-dessous.",
    ),
    "sign_in_elsewhere": (
        "It offers no way to do that here: its own documentation says how.",
        "Il n’en offre aucun moyen ici : sa documentation dit comment faire.",
    ),
    "sign_in_not_now": (
        "It offers ways to sign in, and did not want it now. Some agents want it only at the first"
        " message.",
        "Il offre des moyens de se connecter, et ne l’a pas demandé. Certains agents ne le"
        " demandent qu’au premier message.",
    ),
    "sign_in_never": (
        "It offers no way to sign in, and wanted none.",
        "Il n’offre aucun moyen de se connecter, et n’en a pas demandé.",
    ),
    "method_agent": ("{name} (by the agent itself)", "{name} (par l’agent lui-même)"),
    "method_terminal": (
        "{name} (run in a terminal: {command})",
        "{name} (à lancer dans un terminal : {command})",
    ),
    "method_other": ("{name} (of the kind {kind})", "{name} (du genre {kind})"),
    "commands": ("Announced commands: {count}.", "Commandes annoncées : {count}."),
    "no_commands": (
        "It announced no commands within {seconds} s.",
        "Il n’a annoncé aucune commande en {seconds} s.",
    ),
    # What it wrote, and its end.
    "wrote": ("What it wrote to stderr ends so:", "Ce qu’il a écrit sur stderr finit ainsi :"),
    "noise": (
        "Not all that it wrote to stdout is of the protocol. Lines that were passed over: {count}.",
        "Ce qu’il a écrit sur stdout n’est pas tout du protocole. Lignes ignorées : {count}.",
    ),
    "noise_advice": (
        "If a script of yours starts it, have that write to stderr.",
        "Si un script à vous le lance, faites-le écrire sur stderr.",
    ),
    "crashed": ("Its program {exit} by itself.", "Son programme {exit} de lui-même."),
    "ended": (
        "Told to end, its program {exit}.",
        "Prié de finir, son programme {exit}.",
    ),
    "ended_late": (
        "Its program did not end at the end of its input: it {exit} when it was made to. It takes"
        " that long at each stop.",
        "Son programme n’a pas fini à la fin de son entrée : il {exit} quand on l’y a forcé. Chaque"
        " arrêt prend ce temps.",
    ),
    "left": (
        "It left behind what had detached itself from it. End it yourself if you do not want it.",
        "Il a laissé ce qui s’était détaché de lui. Terminez-le vous-même si vous n’en voulez pas.",
    ),
})  # fmt: skip
