"""What the window says where it cannot show itself, or must refuse."""

from sidekicks.base.words import Words

say = Words(
    {
        "no_display": (
            "There is no display here for a window. Run `sidekicks serve` and open its link in a "
            "browser.",
            "Il n’y a pas d’écran ici pour une fenêtre. Lancez `sidekicks serve` et ouvrez son "
            "lien dans un navigateur.",
        ),
        "display_silent": (
            "The display {display} does not answer. Check that it runs and lets you in, or run "
            "`sidekicks serve` and open its link in a browser.",
            "L’écran {display} ne répond pas. Vérifiez qu’il tourne et vous accepte, ou lancez "
            "`sidekicks serve` et ouvrez son lien dans un navigateur.",
        ),
        "not_installed": (
            "The window’s toolkit is not installed. Run: pip install 'sidekicks[qt]'",
            "La bibliothèque de la fenêtre n’est pas installée. Lancez : pip install "
            "'sidekicks[qt]'",
        ),
        "libraries": (
            "The window needs system libraries that are not installed ({reason}). Run: {command}",
            "La fenêtre a besoin de bibliothèques du système qui ne sont pas installées "
            "({reason}). Lancez : {command}",
        ),
        "toolkit": (
            "The window’s toolkit cannot be loaded: {reason}",
            "La bibliothèque de la fenêtre ne peut pas être chargée : {reason}",
        ),
        "wrong_secret": (
            "This page may not speak with the app. Close the window and start again.",
            "Cette page ne peut pas parler à l’application. Fermez la fenêtre et relancez-la.",
        ),
        "page_silent": (
            "The page did not answer in {seconds} seconds.",
            "La page n’a pas répondu en {seconds} secondes.",
        ),
        "page_failed": (
            "The page could not do that: {reason}",
            "La page n’a pas pu le faire : {reason}",
        ),
        "starting": ("Starting", "Démarrage"),
    }
)
