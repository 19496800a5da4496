"""What goes wrong, each in a sentence with what to do."""

from typing import Final

FAILURES: Final = {
    # Files.
    "outside": (
        "“{path}” is not in this folder, and I stay in it. Name a file below it.",
        "« {path} » n’est pas dans ce dossier, et je n’en sors pas. Indiquez un fichier qui s’y "
        "trouve.",
    ),
    "not_found": (
        "There is no “{path}” here. `/files` shows what there is.",
        "Il n’y a pas de « {path} » ici. `/files` montre ce qu’il y a.",
    ),
    "not_folder": (
        "“{path}” leads through something that is not a folder.",
        "« {path} » passe par quelque chose qui n’est pas un dossier.",
    ),
    "is_folder": (
        "“{path}” is a folder. `/files {path}` lists it.",
        "« {path} » est un dossier. `/files {path}` montre son contenu.",
    ),
    "not_ordinary": (
        "“{path}” is not an ordinary file (a pipe, a socket or a device), so I do not open it.",
        "« {path} » n’est pas un fichier ordinaire (un tube, un socket ou un périphérique) : je "
        "ne l’ouvre pas.",
    ),
    "no_access": (
        "I have no permission for “{path}”. Change its rights, then try again.",
        "Je n’ai pas accès à « {path} ». Changez ses droits, puis réessayez.",
    ),
    "not_text": (
        "“{path}” is not text, so I leave it alone.",
        "« {path} » n’est pas du texte : je n’y touche pas.",
    ),
    "too_large": (
        "“{path}” is larger than 1 MB; I read only smaller files.",
        "« {path} » dépasse 1 Mo ; je ne lis que des fichiers plus petits.",
    ),
    "too_large_to_write": (
        "That is more than 1 MB; I write only smaller files. “{path}” is as it was.",
        "Cela dépasse 1 Mo ; je n’écris que des fichiers plus petits. « {path} » reste tel quel.",
    ),
    "changed_meanwhile": (
        "“{path}” was changed while the question was open, so I wrote nothing. Try again.",
        "« {path} » a changé pendant que la question était posée : je n’ai rien écrit. Réessayez.",
    ),
    "file_failed": (
        "“{path}” could not be opened: {reason}.",
        "« {path} » n’a pas pu être ouvert : {reason}.",
    ),
    # Model servers that fail.
    "unreachable": (
        "{server} does not answer at {url}. Start it, then try again.",
        "{server} ne répond pas à {url}. Démarrez-le, puis réessayez.",
    ),
    "bad_address": (
        "{url} is not an address of a model server ({reason}). Correct `SIDEKICKS_MODEL_URL`.",
        "{url} n’est pas l’adresse d’un serveur de modèles ({reason}). Corrigez "
        "`SIDEKICKS_MODEL_URL`.",
    ),
    "mute": (
        "{server} accepted the message but said nothing for {minutes} min. Restart it, or choose "
        "a smaller model than {model}, then try again.",
        "{server} a accepté le message mais n’a rien dit pendant {minutes} min. Redémarrez-le, "
        "ou choisissez un modèle plus petit que {model}, puis réessayez.",
    ),
    "cut": (
        "{server} broke off in the middle of the answer of {model}. Look at its log, then try "
        "again.",
        "{server} s’est interrompu au milieu de la réponse de {model}. Regardez son journal, "
        "puis réessayez.",
    ),
    "failed": (
        "{server} could not answer with {model}: {reason}",
        "{server} n’a pas pu répondre avec {model} : {reason}",
    ),
    "wants_key": (
        "{server} wants a valid key ({reason}). Set `SIDEKICKS_MODEL_URL` to {url} and "
        "`SIDEKICKS_MODEL_KEY` to the key, in this agent’s `env`.",
        "{server} demande une clé valable ({reason}). Dans l’`env` de cet agent, mettez {url} "
        "dans `SIDEKICKS_MODEL_URL` et la clé dans `SIDEKICKS_MODEL_KEY`.",
    ),
    "unknown_model": (
        "{server} does not have {model} ({reason}). `/model` shows what it has.",
        "{server} n’a pas {model} ({reason}). `/model` montre ce qu’il a.",
    ),
    "busy": (
        "{server} is busy or still loading {model} ({reason}). Try again in a moment.",
        "{server} est occupé ou charge encore {model} ({reason}). Réessayez dans un instant.",
    ),
    "waiting": (
        "Waiting for {model} from {server}: it may still be loading",
        "En attente de {model} par {server} : il est peut-être en cours de chargement",
    ),
    # Talking with a model, and with a client.
    "no_session": (
        "There is no session {session}. Open a new one.",
        "Il n’y a pas de session {session}. Ouvrez-en une nouvelle.",
    ),
    "session_busy": (
        "This session is already answering. Wait, or stop it first.",
        "Cette session est déjà en train de répondre. Attendez, ou arrêtez-la d’abord.",
    ),
    "no_folder": (
        "The folder {path} is not there. Create it, or correct `workspace`.",
        "Le dossier {path} n’existe pas. Créez-le, ou corrigez `workspace`.",
    ),
    "no_option": (
        "There is no option {option} with the value {value}.",
        "Il n’y a pas d’option {option} avec la valeur {value}.",
    ),
    "run_by_hand": (
        "This is an agent for Sidekicks or another client of the Agent Client Protocol: it reads "
        "JSON-RPC from its input. Ctrl-D ends it.",
        "C’est un agent pour Sidekicks ou un autre client de l’Agent Client Protocol : il lit du "
        "JSON-RPC sur son entrée. Ctrl-D y met fin.",
    ),
}
