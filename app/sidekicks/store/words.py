"""What the store says."""

from sidekicks.base.words import Words

say = Words(
    {
        "newer": (
            "The history {path} was written by a newer Sidekicks. Install that version, "
            "or name another configuration with --config.",
            "L’historique {path} vient d’une version plus récente de Sidekicks. Installez-la, "
            "ou donnez une autre configuration avec --config.",
        ),
        "recovered": (
            "The history {path} was damaged. What could be read is here: messages {messages}, "
            "conversations {channels}. The damaged file is kept as {aside}; if something is "
            "missing, put back a copy of your own.",
            "L’historique {path} était abîmé. Voici ce qui a pu être lu : messages {messages}, "
            "conversations {channels}. Le fichier abîmé est gardé sous {aside} ; s’il manque "
            "quelque chose, remettez une copie à vous.",
        ),
        "damaged": (
            "The history {path} is damaged and cannot be mended now. What could be read is here: "
            "messages {messages}, conversations {channels}.",
            "L’historique {path} est abîmé et ne peut pas être réparé maintenant. Voici ce qui a "
            "pu être lu : messages {messages}, conversations {channels}.",
        ),
        "unsaved_full": (
            "The disk is full, so nothing is being saved to {path}. Free some space: what you do "
            "until then is kept in memory, and saved then.",
            "Le disque est plein, rien n’est donc enregistré dans {path}. Libérez de la place : "
            "ce que vous faites d’ici là est gardé en mémoire, puis enregistré.",
        ),
        "unsaved_no_access": (
            "The history {path} cannot be written, so nothing is being saved. Allow writing to it "
            "and to its folder: what you do until then is kept in memory, and saved then.",
            "L’historique {path} n’est pas modifiable, rien n’est donc enregistré. Autorisez "
            "l’écriture du fichier et de son dossier : ce que vous faites d’ici là est gardé en "
            "mémoire, puis enregistré.",
        ),
        "unsaved_locked": (
            "Another program has locked the history {path}, so nothing is being saved. Close that "
            "program: what you do until then is kept in memory, and saved then.",
            "Un autre programme a verrouillé l’historique {path}, rien n’est donc enregistré. "
            "Fermez-le : ce que vous faites d’ici là est gardé en mémoire, puis enregistré.",
        ),
        "unsaved_io": (
            "The history {path} cannot be written ({error}), so nothing is being saved. Check the "
            "disk: what you do until then is kept in memory, and saved then.",
            "L’historique {path} ne peut pas être écrit ({error}), rien n’est donc enregistré. "
            "Vérifiez le disque : ce que vous faites d’ici là est gardé en mémoire, puis "
            "enregistré.",
        ),
        "unread": (
            "It cannot be read either, so earlier conversations are not shown.",
            "Il n’est pas lisible non plus, les conversations passées n’apparaissent donc pas.",
        ),
        "restart": (
            "The history {path} can be read again. Start Sidekicks again to see earlier "
            "conversations.",
            "L’historique {path} est de nouveau lisible. Relancez Sidekicks pour voir les "
            "conversations passées.",
        ),
        "message_damaged": (
            "This message was damaged and cannot be shown.",
            "Ce message a été abîmé et ne peut pas être affiché.",
        ),
        "interrupted": (
            "The history was damaged, and how this answer ended is lost.",
            "L’historique a été abîmé, et la fin de cette réponse est perdue.",
        ),
    }
)
