"""What goes wrong with programs, said to the person."""

from typing import Final

from sidekicks.base.words import Words

say: Final = Words({
    "command_not_found": (
        "The command “{command}” was not found. Install it, or write its full path in the"
        " configuration. Looked in: {folders}.",
        "La commande « {command} » est introuvable. Installez-la ou écrivez son chemin complet dans"
        " la configuration. Dossiers cherchés : {folders}.",
    ),
    "no_folders": ("no folder (PATH is empty)", "aucun dossier (PATH est vide)"),
    "program_missing": (
        "There is no program at {command}. Correct the path in the configuration.",
        "Il n’y a pas de programme à {command}. Corrigez le chemin dans la configuration.",
    ),
    "not_executable": (
        "{command} may not be run. Allow it with: chmod +x {quoted}",
        "{command} ne peut pas être exécuté. Autorisez-le avec : chmod +x {quoted}",
    ),
    "run_refused": (
        "The system does not let {command} run. Look at the rights of its folder and its disk.",
        "Le système refuse d’exécuter {command}. Vérifiez les droits de son dossier et de son"
        " disque.",
    ),
    "interpreter_missing": (
        "{command} is a script for “{interpreter}”, which was not found. Install {interpreter}.",
        "{command} est un script pour « {interpreter} », qui est introuvable. Installez"
        " {interpreter}.",
    ),
    "line_endings": (
        "{command} has Windows line endings, so it cannot be run. Save it with Unix line endings.",
        "{command} a des fins de ligne Windows et ne peut pas être exécuté. Enregistrez-le avec des"
        " fins de ligne Unix.",
    ),
    "other_system": (
        "{command} is not a program for this computer. Install the version for this system.",
        "{command} n’est pas un programme pour cet ordinateur. Installez la version pour ce"
        " système.",
    ),
    "no_interpreter_line": (
        "{command} is neither a program for this computer nor a script whose first line names what"
        " runs it (such as #!/bin/sh).",
        "{command} n’est ni un programme pour cet ordinateur ni un script dont la première ligne"
        " dit par quoi l’exécuter (comme #!/bin/sh).",
    ),
    "folder_missing": (
        "The folder {folder} is not there. Create it, or correct `workspace` in the configuration.",
        "Le dossier {folder} n’existe pas. Créez-le ou corrigez `workspace` dans la configuration.",
    ),
    "not_a_folder": (
        "{folder} is not a folder. Correct `workspace` in the configuration.",
        "{folder} n’est pas un dossier. Corrigez `workspace` dans la configuration.",
    ),
    "folder_no_access": (
        "The folder {folder} may not be read. Give yourself access, or choose another folder.",
        "Le dossier {folder} ne peut pas être lu. Donnez-vous l’accès ou choisissez un autre"
        " dossier.",
    ),
    "bad_argument": (
        "{command} cannot be started with these arguments or this environment: {reason}.",
        "{command} ne peut pas être démarré avec ces arguments ou cet environnement : {reason}.",
    ),
    "not_started": (
        "{command} could not be started: {reason}.",
        "{command} n’a pas pu être démarré : {reason}.",
    ),
    "exit_code": ("ended with exit code {code}", "s’est terminé avec le code {code}"),
    "exit_signal": ("was ended by {signal}", "a été arrêté par {signal}"),
    "shell_silent": (
        "The login shell {shell} did not answer within {seconds} seconds: something in its start-up"
        " files waits. Programs are looked for in the usual folders only.",
        "Le shell de connexion {shell} n’a pas répondu en {seconds} secondes : quelque chose attend"
        " dans ses fichiers de démarrage. Les programmes ne sont cherchés que dans les dossiers"
        " habituels.",
    ),
    "shell_failed": (
        "The login shell {shell} did not tell its environment. Look at its start-up files. Programs"
        " are looked for in the usual folders only.",
        "Le shell de connexion {shell} n’a pas donné son environnement. Vérifiez ses fichiers de"
        " démarrage. Les programmes ne sont cherchés que dans les dossiers habituels.",
    ),
})  # fmt: skip
