"""What the doctor says about the app and the computer."""

from typing import Final

from sidekicks.base.words import Words

say: Final = Words({
    "app": (
        "Sidekicks {version} runs on {system}, with Python {python}.",
        "Sidekicks {version} tourne sous {system}, avec Python {python}.",
    ),
    "shell": (
        "The login shell {shell} told its environment; what agents get besides PATH: {count}.",
        "Le shell de connexion {shell} a donné son environnement ; ce que les agents en reçoivent,"
        " outre PATH : {count}.",
    ),
    "no_shell": (
        "This account has no login shell: agents get the environment that Sidekicks was started"
        " with.",
        "Ce compte n’a pas de shell de connexion : les agents reçoivent l’environnement avec lequel"
        " Sidekicks a été lancé.",
    ),
    "path": (
        "Programs are looked for in these folders ({count}), in this order:",
        "Les programmes sont cherchés dans ces dossiers ({count}), dans cet ordre :",
    ),
    # Docker and sbx.
    "docker": (
        "Docker is {program}, version {client}; its engine answers, version {engine}.",
        "Docker est {program}, version {client} ; son moteur répond, version {engine}.",
    ),
    "no_docker": (
        "Docker was not found; only agents in containers need it.",
        "Docker est introuvable ; seuls les agents en conteneur en ont besoin.",
    ),
    "no_docker_needed": (
        "Docker was not found, and an agent is to run in a container. Install Docker, or put its"
        " folder in PATH.",
        "Docker est introuvable, et un agent doit tourner dans un conteneur. Installez Docker, ou"
        " ajoutez son dossier à PATH.",
    ),
    "docker_engine_silent": (
        "Docker is {program}, version {client}, but its engine does not answer.",
        "Docker est {program}, version {client}, mais son moteur ne répond pas.",
    ),
    "docker_start": (
        "Start Docker if you want agents in containers.",
        "Démarrez Docker si vous voulez des agents en conteneur.",
    ),
    "docker_group": (
        "Its socket refuses you: on Linux, have yourself added to the group `docker`, then log in"
        " anew.",
        "Son socket vous refuse : sous Linux, faites-vous ajouter au groupe `docker`, puis"
        " reconnectez-vous.",
    ),
    "sbx": ("sbx is {program}: {version}.", "sbx est {program} : {version}."),
    "sbx_failed": (
        "sbx is {program}, but did not tell its version.",
        "sbx est {program}, mais n’a pas donné sa version.",
    ),
    "no_sbx": (
        "sbx was not found; only agents in Docker sandboxes need it.",
        "sbx est introuvable ; seuls les agents en bac à sable Docker en ont besoin.",
    ),
    "no_sbx_needed": (
        "sbx was not found, and an agent is to run in a Docker sandbox. Install sbx, or put its"
        " folder in PATH.",
        "sbx est introuvable, et un agent doit tourner dans un bac à sable Docker. Installez sbx,"
        " ou ajoutez son dossier à PATH.",
    ),
    "sbx_untried": (
        "Sandboxes have not been tried against a real sbx in this version.",
        "Les bacs à sable n’ont pas été essayés avec un vrai sbx dans cette version.",
    ),
    "tool_silent": (
        "{program} did not tell its version within {seconds} s.",
        "{program} n’a pas donné sa version en {seconds} s.",
    ),
    # Model servers.
    "models": (
        "Models for the bundled agent are there: {names}.",
        "Des modèles sont là pour l’agent fourni : {names}.",
    ),
    "models_none": (
        "The bundled agent looks for no model, as SIDEKICKS_MODEL_URL says `none`: it is a guide.",
        "L’agent fourni ne cherche pas de modèle, car SIDEKICKS_MODEL_URL vaut `none` : c’est un"
        " guide.",
    ),
    "no_models": (
        "No model server on this computer has a model, so the bundled agent is a guide only.",
        "Aucun serveur de modèles de cet ordinateur n’a de modèle : l’agent fourni n’est qu’un"
        " guide.",
    ),
    "no_models_advice": (
        "To give it a model, start Ollama, llama.cpp, LM Studio or Docker Model Runner.",
        "Pour lui donner un modèle, démarrez Ollama, llama.cpp, LM Studio ou Docker Model Runner.",
    ),
    "models_lost": (
        "The model server that SIDEKICKS_MODEL_URL names cannot be used: {names}.",
        "Le serveur de modèles que nomme SIDEKICKS_MODEL_URL n’est pas utilisable : {names}.",
    ),
    "models_lost_advice": (
        "Start it, or correct SIDEKICKS_MODEL_URL and SIDEKICKS_MODEL_KEY.",
        "Démarrez-le, ou corrigez SIDEKICKS_MODEL_URL et SIDEKICKS_MODEL_KEY.",
    ),
    "model_server_absent": ("nobody listens there", "personne n’y écoute"),
    "model_server_silent": ("says nothing", "ne dit rien"),
    "model_server_denied": ("wants another key", "demande une autre clé"),
    "model_server_strange": ("is no model server", "n’est pas un serveur de modèles"),
    "model_server_empty": ("has no model", "n’a pas de modèle"),
    # The window and the app's own files.
    "window": ("A window can be shown here.", "Une fenêtre peut être affichée ici."),
    "log": ("The log is {file}.", "Le journal est {file}."),
    "log_no_access": (
        "The log cannot be written in {folder}.",
        "Le journal ne peut pas être écrit dans {folder}.",
    ),
    "give_access": (
        "Give yourself the right to write there.",
        "Donnez-vous le droit d’y écrire.",
    ),
    "history": ("The history is {file} ({size} MB).", "L’historique est {file} ({size} Mo)."),
    "history_no_access": (
        "The history {file} ({size} MB) cannot be written.",
        "L’historique {file} ({size} Mo) ne peut pas être écrit.",
    ),
})  # fmt: skip
