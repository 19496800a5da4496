"""What the guide says of itself, its commands and the models, and what a model is told."""

from typing import Final

GUIDE: Final = {
    # Looking for a model.
    "trouble_absent": ("nobody listens there", "personne n’écoute là"),
    "trouble_silent": ("it does not answer in time", "il ne répond pas à temps"),
    "trouble_denied": (
        "it wants a key: set `SIDEKICKS_MODEL_URL` and `SIDEKICKS_MODEL_KEY`",
        "il demande une clé : indiquez `SIDEKICKS_MODEL_URL` et `SIDEKICKS_MODEL_KEY`",
    ),
    "trouble_strange": (
        "what answers there is not a model server",
        "ce qui répond là n’est pas un serveur de modèles",
    ),
    "trouble_empty": (
        "it runs, but has no model to talk with",
        "il tourne, mais n’a pas de modèle avec qui parler",
    ),
    "looked_at": ("- {server}, {url}: {trouble}", "- {server}, {url} : {trouble}"),
    "looked_nowhere": (
        "I do not look for a model server: `SIDEKICKS_MODEL_URL` is `none`.",
        "Je ne cherche pas de serveur de modèles : `SIDEKICKS_MODEL_URL` vaut `none`.",
    ),
    "no_model_found": (
        "No model answers. I looked here:\n\n{places}",
        "Aucun modèle ne répond. J’ai cherché ici :\n\n{places}",
    ),
    # The guide.
    "guide": (
        "I am the guide that comes with Sidekicks. {why}, so nobody can think about what you "
        "wrote: I only know my commands.\n\n"
        "To get real answers, do one of these:\n\n"
        "- **A model on this computer.** {how} Then write again: I look anew with each message.\n"
        "- **Another agent.** Add one that speaks the Agent Client Protocol to the configuration "
        "file, for example:\n\n"
        "  ```yaml\n"
        "  agents:\n"
        "    opencode:\n"
        "      command: opencode\n"
        "      args: [acp]\n"
        "      workspace: ~/work\n"
        "  ```\n\n"
        "Until then, `/tour` shows what an agent does here, and `/help` lists my commands.",
        "Je suis le guide fourni avec Sidekicks. {why} : personne ne peut donc réfléchir à ce "
        "que vous avez écrit, je ne connais que mes commandes.\n\n"
        "Pour obtenir de vraies réponses, au choix :\n\n"
        "- **Un modèle sur cet ordinateur.** {how} Puis écrivez de nouveau : je cherche à chaque "
        "message.\n"
        "- **Un autre agent.** Ajoutez au fichier de configuration un agent qui parle l’Agent "
        "Client Protocol, par exemple :\n\n"
        "  ```yaml\n"
        "  agents:\n"
        "    opencode:\n"
        "      command: opencode\n"
        "      args: [acp]\n"
        "      workspace: ~/work\n"
        "  ```\n\n"
        "D’ici là, `/tour` montre ce que fait un agent ici, et `/help` donne mes commandes.",
    ),
    "guide_again": (
        "Still no model to answer you. `/model` says where I looked, `/help` what I can do "
        "without one.",
        "Toujours aucun modèle pour vous répondre. `/model` dit où j’ai cherché, `/help` ce que "
        "je sais faire sans lui.",
    ),
    "why_none": (
        "No language model answers on this computer",
        "Aucun modèle de langage ne répond sur cet ordinateur",
    ),
    "why_off": (
        "I was told not to look for a language model (`SIDEKICKS_MODEL_URL` is `none`)",
        "On m’a dit de ne pas chercher de modèle de langage (`SIDEKICKS_MODEL_URL` vaut `none`)",
    ),
    "why_named": (
        "`SIDEKICKS_MODEL_URL` names {url}, but {trouble}",
        "`SIDEKICKS_MODEL_URL` indique {url}, mais {trouble}",
    ),
    "why_empty": (
        "{server} runs on this computer, but has no model to talk with",
        "{server} tourne sur cet ordinateur, mais n’a pas de modèle avec qui parler",
    ),
    "how_install": (
        "Install [Ollama](https://ollama.com) and run `ollama pull qwen3:4b`. llama.cpp, LM "
        "Studio and Docker Model Runner are found too, at their usual ports; for any other "
        "server set `SIDEKICKS_MODEL_URL` in this agent’s `env`.",
        "Installez [Ollama](https://ollama.com) et lancez `ollama pull qwen3:4b`. llama.cpp, LM "
        "Studio et Docker Model Runner sont trouvés aussi, à leurs ports habituels ; pour tout "
        "autre serveur, indiquez `SIDEKICKS_MODEL_URL` dans l’`env` de cet agent.",
    ),
    "how_pull": ("Run `ollama pull qwen3:4b`.", "Lancez `ollama pull qwen3:4b`."),
    "how_load": (
        "Load a chat model in {server}.",
        "Chargez un modèle de conversation dans {server}.",
    ),
    "how_named": (
        "Start that server, or correct the address in this agent’s `env`.",
        "Démarrez ce serveur, ou corrigez l’adresse dans l’`env` de cet agent.",
    ),
    "how_off": (
        "Remove `SIDEKICKS_MODEL_URL` from this agent’s `env` and restart it.",
        "Retirez `SIDEKICKS_MODEL_URL` de l’`env` de cet agent et redémarrez-le.",
    ),
    # Commands.
    "help": (
        "{who}\n\nMy commands:\n\n{commands}",
        "{who}\n\nMes commandes :\n\n{commands}",
    ),
    "help_model": (
        "I pass what you write to **{model}** ({server}), a model that sees this conversation "
        "and nothing else: it reads no files and runs no programs.",
        "Je transmets ce que vous écrivez à **{model}** ({server}), un modèle qui voit cette "
        "conversation et rien d’autre : il ne lit pas de fichier et ne lance pas de programme.",
    ),
    "help_no_model": (
        "I am the guide that comes with Sidekicks. No model answers here, so I do nothing but my "
        "commands.",
        "Je suis le guide fourni avec Sidekicks. Aucun modèle ne répond ici : je ne fais rien "
        "d’autre que mes commandes.",
    ),
    "command_help": ("What I can do", "Ce que je sais faire"),
    "command_tour": (
        "Show what an agent does here: a plan, a tool, a question",
        "Montrer ce que fait un agent ici : un plan, un outil, une question",
    ),
    "command_files": ("List a folder", "Montrer un dossier"),
    "command_read": ("Show a text file", "Montrer un fichier texte"),
    "command_write": (
        "Write a text file, after asking you",
        "Écrire un fichier texte, après vous avoir demandé",
    ),
    "command_model": ("Show or choose the model", "Montrer ou choisir le modèle"),
    "hint_files": ("[folder]", "[dossier]"),
    "hint_read": ("FILE", "FICHIER"),
    "hint_write": ("FILE text…", "FICHIER texte…"),
    "hint_model": ("[name]", "[nom]"),
    "unknown_command": (
        "I have no command `/{name}`. `/help` lists mine; a message that begins with a space is "
        "never a command.",
        "Je n’ai pas de commande `/{name}`. `/help` donne les miennes ; un message qui commence "
        "par une espace n’est jamais une commande.",
    ),
    "usage_read": ("Say which file: `/read FILE`.", "Indiquez le fichier : `/read FICHIER`."),
    "usage_write": (
        "Say which file and what to write: `/write FILE text…`. A name with spaces goes in quotes.",
        "Indiquez le fichier et son texte : `/write FICHIER texte…`. Un nom avec des espaces se "
        "met entre guillemets.",
    ),
    "folder_empty": ("{path} is empty.", "{path} est vide."),
    "folder_holds": ("{path}, {total} in all:", "{path}, {total} au total :"),
    "folder_more": ("… and {more} more.", "… et {more} de plus."),
    "file_empty": ("{path} is empty.", "{path} est vide."),
    "model_now": ("**{model}** ({server}) answers.", "C’est **{model}** ({server}) qui répond."),
    "model_list": (
        "**{model}** ({server}) answers. Choose another with `/model NAME`:\n\n{models}",
        "C’est **{model}** ({server}) qui répond. Choisissez-en un autre avec `/model NOM` :\n\n"
        "{models}",
    ),
    "model_unknown": (
        "There is no one model “{name}”. These are there:\n\n{models}",
        "Il n’y a pas un modèle « {name} » et un seul. Voici ceux qui sont là :\n\n{models}",
    ),
    "option_model": ("Model", "Modèle"),
    # Talking with a model, and with a client.
    "system": (
        "You are {model}, a language model that talks with a person in the app Sidekicks. You "
        "see this conversation and what is attached to it, nothing else: you cannot read files, "
        "run programs or look things up, and you say so when asked to. Answer in Markdown, in "
        "the person's language.",
        "Tu es {model}, un modèle de langage qui parle avec une personne dans l’application "
        "Sidekicks. Tu vois cette conversation et ce qui y est joint, rien d’autre : tu ne peux "
        "ni lire de fichiers, ni lancer de programmes, ni chercher quoi que ce soit, et tu le "
        "dis si on te le demande. Réponds en Markdown, dans la langue de la personne.",
    ),
    "attached": ("Attached file {name}:", "Fichier joint {name} :"),
    "attached_unread": (
        "Attached, but not readable here: {name}",
        "Joint, mais illisible ici : {name}",
    ),
}
