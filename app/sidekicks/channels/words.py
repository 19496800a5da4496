"""What is said about conversations."""

from sidekicks.base.words import Words

say = Words(
    {
        "no_channel": (
            "This conversation does not exist (any more).",
            "Cette conversation n’existe pas (ou plus).",
        ),
        "no_message": (
            "This message does not exist (any more).",
            "Ce message n’existe pas (ou plus).",
        ),
        "empty": (
            "The message is empty. Write something first.",
            "Le message est vide. Écrivez d’abord quelque chose.",
        ),
        "too_long": (
            "The message is longer than {limit} characters. Put it in a file and send its name.",
            "Le message dépasse {limit} caractères. Mettez-le dans un fichier et envoyez son nom.",
        ),
        "not_member": (
            "“{agent}” is not in this conversation.",
            "« {agent} » n’est pas dans cette conversation.",
        ),
        "recap_begin": (
            "[What was said here that you have not seen; the message to answer follows it]",
            "[Ce qui a été dit ici et que vous n’avez pas vu ; le message auquel répondre suit]",
        ),
        "recap_left_out": (
            "[{count} earlier messages are left out]",
            "[{count} messages antérieurs sont omis]",
        ),
        "recap_end": ("[End of what was said]", "[Fin de ce qui a été dit]"),
        "recap_user": ("User", "Utilisateur"),
        "recap_attachment": ("[attached: {name}]", "[joint : {name}]"),
        "for_whom": (
            "Whom is this for? Choose one of the members.",
            "À qui s’adresse ce message ? Choisissez un des membres.",
        ),
    }
)
