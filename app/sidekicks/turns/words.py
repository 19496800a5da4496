"""What is said about turns."""

from sidekicks.base.words import Words

say = Words(
    {
        "no_turn": (
            "This turn does not exist (any more).",
            "Ce tour n’existe pas (ou plus).",
        ),
        "running_already": (
            "This answer has begun; stop it instead.",
            "Cette réponse a commencé ; arrêtez-la plutôt.",
        ),
        "refused": (
            "{name} refused to answer this.",
            "{name} a refusé de répondre à ceci.",
        ),
        "limit_tokens": (
            "{name} reached the most it may write at once. Ask it to go on.",
            "{name} a atteint la longueur maximale. Demandez-lui de continuer.",
        ),
        "limit_requests": (
            "{name} reached its limit of steps for one answer. Ask it to go on.",
            "{name} a atteint sa limite d’étapes pour une réponse. Demandez-lui de continuer.",
        ),
        "ended_itself": (
            "{name} broke off here by itself, as some agents do after a No.",
            "{name} s’est interrompu de lui-même, comme le font certains agents après un refus.",
        ),
        "nothing": (
            "{name} answered nothing.",
            "{name} n’a rien répondu.",
        ),
        "app_stopped": (
            "Sidekicks was closed during this answer.",
            "Sidekicks a été fermé pendant cette réponse.",
        ),
        "unknown_stop": (
            "{name} ended with a reason that Sidekicks does not know: {reason}.",
            "{name} a terminé pour une raison que Sidekicks ne connaît pas : {reason}.",
        ),
        "agent_gone": (
            "This agent is no longer in the configuration.",
            "Cet agent n’est plus dans la configuration.",
        ),
        "unexpected": (
            "Something went wrong in Sidekicks itself; its log tells more.",
            "Une erreur s’est produite dans Sidekicks même ; son journal en dit plus.",
        ),
        "rule_used": (
            "Your rule answered “{option}”: {title}",
            "Votre règle a répondu « {option} » : {title}",
        ),
        "untitled_tool": ("Use a tool", "Utiliser un outil"),
        "update": ("update “{kind}”", "mise à jour « {kind} »"),
        "content": ("content “{kind}”", "contenu « {kind} »"),
    }
)
