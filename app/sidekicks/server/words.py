"""What the server says to whom it turns away."""

from sidekicks.base.words import Words

say = Words(
    {
        "host": (
            "This is not Sidekicks’ own address. Open the link that Sidekicks gave you.",
            "Cette adresse n’est pas celle de Sidekicks. Ouvrez le lien que Sidekicks a donné.",
        ),
        "origin": (
            "Another page may not use Sidekicks. Open the link that Sidekicks gave you.",
            "Une autre page ne peut pas utiliser Sidekicks. Ouvrez le lien que Sidekicks a donné.",
        ),
        "secret": (
            "The secret of this run is missing or wrong. Open a new link from Sidekicks.",
            "Le secret de cette session manque ou est faux. Ouvrez un nouveau lien de Sidekicks.",
        ),
        "code": (
            "This link was used already, or is too old. Open a new one from Sidekicks.",
            "Ce lien a déjà servi, ou il est trop ancien. Ouvrez-en un nouveau de Sidekicks.",
        ),
        "tries": (
            "Too many wrong links were tried. Wait a minute, then open a new one.",
            "Trop de liens faux ont été essayés. Attendez une minute, puis ouvrez-en un nouveau.",
        ),
        "not_found": (
            "There is nothing at this address.",
            "Il n’y a rien à cette adresse.",
        ),
        "method": (
            "This address cannot be used in this way: it takes {allowed}.",
            "Cette adresse ne s’utilise pas ainsi : elle accepte {allowed}.",
        ),
        "json": (
            "Send JSON, with the content type application/json.",
            "Envoyez du JSON, avec le type de contenu application/json.",
        ),
        "too_large": (
            "This is too large to be sent at once. Send less.",
            "C’est trop gros pour un seul envoi. Envoyez-en moins.",
        ),
        "invalid": (
            "This request cannot be understood. Reload the page, then try again.",
            "Cette demande est incompréhensible. Rechargez la page, puis réessayez.",
        ),
        "internal": (
            "Something went wrong in Sidekicks (incident {incident}). Its log tells more.",
            "Une erreur s’est produite dans Sidekicks (incident {incident}). "
            "Son journal en dit plus.",
        ),
        "port_busy": (
            "Port {port} is used by another program. Choose another one, or none.",
            "Le port {port} est utilisé par un autre programme. Choisissez-en un autre, ou aucun.",
        ),
        "port_forbidden": (
            "Port {port} may not be used here. Choose one from 1024 to 65535.",
            "Le port {port} est interdit ici. Choisissez-en un de 1024 à 65535.",
        ),
        "no_page": (
            "The page of Sidekicks is missing in {folder}. Install Sidekicks again.",
            "La page de Sidekicks manque dans {folder}. Réinstallez Sidekicks.",
        ),
    }
)
