"""What the store says."""

from sidekicks.base.words import Words

say = Words(
    {
        "cannot_open": (
            "The history {path} cannot be opened ({error}). Check the file and its folder, "
            "then start again.",
            "L’historique {path} ne s’ouvre pas ({error}). Vérifiez le fichier et son dossier, "
            "puis relancez.",
        ),
        "newer": (
            "The history {path} was written by a newer Sidekicks. Install that version, "
            "or name another configuration with --config.",
            "L’historique {path} vient d’une version plus récente de Sidekicks. Installez-la, "
            "ou donnez une autre configuration avec --config.",
        ),
    }
)
