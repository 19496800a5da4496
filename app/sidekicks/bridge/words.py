"""What the bridge says."""

from sidekicks.base.words import Words

say = Words(
    {
        "stopping": (
            "Sidekicks is closing. Start it again to go on.",
            "Sidekicks se ferme. Relancez-le pour continuer.",
        ),
        "internal": (
            "Something went wrong in Sidekicks (incident {incident}). Its log tells more.",
            "Une erreur s’est produite dans Sidekicks (incident {incident}). "
            "Son journal en dit plus.",
        ),
        "bad_command": (
            "This is not a command that Sidekicks knows: {error}.",
            "Ce n’est pas une commande que Sidekicks connaît : {error}.",
        ),
    }
)
