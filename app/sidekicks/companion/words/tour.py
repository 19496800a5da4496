"""What the tour and the writing of a file say."""

from typing import Final

TOUR: Final = {
    # Writing.
    "write_title": ("Write {path}", "Écrire {path}"),
    "allow": ("Allow", "Autoriser"),
    "reject": ("Do not allow", "Ne pas autoriser"),
    "written": ("{path} is written.", "{path} est écrit."),
    "not_allowed": (
        "You did not allow it, so nothing was written.",
        "Vous ne l’avez pas autorisé : rien n’a été écrit.",
    ),
    "unchanged": (
        "{path} already holds exactly that; there is nothing to write.",
        "{path} contient déjà exactement cela ; il n’y a rien à écrire.",
    ),
    # The tour.
    "tour_start": (
        "This is a short tour of what an agent does here. Everything in it is real: the plan, "
        "the look at your folder, the question, and the file, if you allow it. Stop ends it at "
        "any moment.",
        "Voici une courte visite de ce que fait un agent ici. Tout y est réel : le plan, le coup "
        "d’œil dans votre dossier, la question, et le fichier, si vous l’autorisez. Arrêter y "
        "met fin à tout moment.",
    ),
    "tour_step_look": ("Look into the folder", "Regarder dans le dossier"),
    "tour_step_ask": ("Ask before changing anything", "Demander avant de changer quoi que ce soit"),
    "tour_step_write": ("Write {path}", "Écrire {path}"),
    "tour_step_not_written": (
        "Write {path}: not allowed, left out",
        "Écrire {path} : non autorisé, laissé de côté",
    ),
    "tour_step_tell": ("Tell what happened", "Dire ce qui s’est passé"),
    "tour_looked": (
        "That was a tool call: I listed the folder (entries: {total}). Next I would like to "
        "write a small file, and for that I need your permission.",
        "C’était un appel d’outil : j’ai listé le dossier (éléments : {total}). Ensuite, "
        "j’aimerais écrire un petit fichier, et pour cela il me faut votre permission.",
    ),
    "tour_list_title": ("List the folder", "Lister le dossier"),
    "tour_written": (
        "You allowed it: {path} is in the folder now. Open the folder beside my name to read "
        "it; you can delete it like any file.",
        "Vous l’avez autorisé : {path} est maintenant dans le dossier. Ouvrez le dossier à "
        "côté de mon nom pour le lire ; vous pouvez le supprimer comme tout fichier.",
    ),
    "tour_not_written": (
        "You did not allow it, so no file was written. An agent that keeps to the protocol asks "
        "before it changes something, and takes no for an answer.",
        "Vous ne l’avez pas autorisé : aucun fichier n’a été écrit. Un agent qui respecte le "
        "protocole demande avant de changer quelque chose, et accepte un non.",
    ),
    "tour_file": (
        "# A tour of Sidekicks\n\n"
        "The bundled agent wrote this file on {when}, because you allowed it.\n\n"
        "- A plan is one list that changes in place.\n"
        "- A tool call is a card that tells what the agent does, and with which file.\n"
        "- A permission card asks before something changes. Stop answers it with no.\n"
        "- Add other agents in the configuration file; each has its own folder.\n\n"
        "You can delete it.\n",
        "# Une visite de Sidekicks\n\n"
        "L’agent fourni a écrit ce fichier le {when}, parce que vous l’avez autorisé.\n\n"
        "- Un plan est une liste qui change sur place.\n"
        "- Un appel d’outil est une carte qui dit ce que fait l’agent, et avec quel fichier.\n"
        "- Une carte de permission demande avant que quelque chose change. Arrêter y répond "
        "non.\n"
        "- Ajoutez d’autres agents dans le fichier de configuration ; chacun a son dossier.\n\n"
        "Vous pouvez le supprimer.\n",
    ),
}
