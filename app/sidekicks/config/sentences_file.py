"""What is said of the file as a whole and of its YAML, in English and French."""

from typing import Final

FILE: Final = {
    "file_is_folder": (
        "A folder is where the configuration file should be. Move it away, or name another file "
        "with --config.",
        "Un dossier est à la place du fichier de configuration. Déplacez-le, ou indiquez un autre"
        " fichier avec --config.",
    ),
    "file_is_special": (
        "The configuration is no regular file (a pipe or a device), so it was not opened. Name a "
        "regular file with --config.",
        "La configuration n’est pas un fichier ordinaire (un tube ou un périphérique) et n’a pas "
        "été ouverte. Indiquez un fichier ordinaire avec --config.",
    ),
    "file_too_large": (
        "The configuration file is larger than 1 MB, so it was not read. Is it the right file?",
        "Le fichier de configuration dépasse 1 Mo et n’a pas été lu. Est-ce le bon fichier ?",
    ),
    "file_dangling": (
        "The configuration file is a link to “{target}”, which does not exist. Mend the link or "
        "remove it.",
        "Le fichier de configuration est un lien vers « {target} », qui n’existe pas. Réparez le "
        "lien ou supprimez-le.",
    ),
    "file_no_access": (
        "The configuration file may not be read. Give yourself the right to read it and its "
        "folder.",
        "Le fichier de configuration ne peut pas être lu. Donnez-vous le droit de le lire, ainsi "
        "que son dossier.",
    ),
    "file_loop": (
        "The configuration file is a link that leads back to itself. Remove the link.",
        "Le fichier de configuration est un lien qui revient sur lui-même. Supprimez ce lien.",
    ),
    "folder_is_file": (
        "A file is where the configuration's folder should be. Move it away, or name another file"
        " with --config.",
        "Un fichier est à la place du dossier de la configuration. Déplacez-le, ou indiquez un "
        "autre fichier avec --config.",
    ),
    "file_unreadable": (
        "The configuration file cannot be read: {reason}.",
        "Le fichier de configuration ne peut pas être lu : {reason}.",
    ),
    "not_created": (
        "The configuration file cannot be created in “{folder}” ({reason}), so the built-in agent"
        " is all there is. Make the folder writable, or name another file with --config.",
        "Le fichier de configuration ne peut pas être créé dans « {folder} » ({reason}) : seul "
        "l’agent intégré est là. Rendez le dossier accessible en écriture, ou indiquez un autre "
        "fichier avec --config.",
    ),
    "not_watched": (
        "The system allows no more watching of files ({reason}). The configuration is compared "
        "every two seconds instead.",
        "Le système ne permet plus de surveiller de fichiers ({reason}). La configuration est "
        "comparée toutes les deux secondes à la place.",
    ),
    "not_unicode": (
        "This line holds a character that is not {encoding}. Save the file as UTF-8.",
        "Cette ligne contient un caractère qui n’est pas en {encoding}. Enregistrez le fichier en"
        " UTF-8.",
    ),
    "nul": (
        "The file holds NUL characters: it is no text, or not saved as UTF-8. Save it as UTF-8.",
        "Le fichier contient des caractères NUL : ce n’est pas du texte, ou il n’est pas "
        "enregistré en UTF-8. Enregistrez-le en UTF-8.",
    ),
    "control_character": (
        "This line holds a control character ({character}). Take it out.",
        "Cette ligne contient un caractère de contrôle ({character}). Retirez-le.",
    ),
    "more": (
        "{count} more problems. Mend these first.",
        "{count} autres problèmes. Corrigez d’abord ceux-ci.",
    ),
}

YAML: Final = {
    "yaml_tab": (
        "A tab stands here; YAML takes only spaces. Use spaces.",
        "Il y a une tabulation ici ; YAML n’accepte que des espaces. Utilisez des espaces.",
    ),
    "yaml_colon": (
        "A colon is not expected here. Put text that holds “: ” in quotes, or mend the "
        "indentation.",
        "Un deux-points n’est pas attendu ici. Mettez entre guillemets un texte qui contient « : "
        "», ou corrigez le retrait.",
    ),
    "yaml_no_colon": (
        "A colon is missing behind this key. Write it as “key: value”.",
        "Il manque un deux-points après cette clé. Écrivez « clé: valeur ».",
    ),
    "yaml_quote": (
        "The quote that begins here does not end. Close it.",
        "Le guillemet ouvert ici n’est pas fermé. Fermez-le.",
    ),
    "yaml_escape": (
        "Between double quotes a backslash begins an escape, and this one does not exist. Use "
        "single quotes, or two backslashes.",
        "Entre guillemets doubles, une barre oblique inverse commence un échappement, et celui-ci"
        " n’existe pas. Utilisez des guillemets simples, ou deux barres.",
    ),
    "yaml_bracket": (
        "The list that begins here with “[” is not closed. Check its commas and its “]”.",
        "La liste ouverte ici par « [ » n’est pas fermée. Vérifiez ses virgules et son « ] ».",
    ),
    "yaml_brace": (
        "The braces that begin here with “{{” are not closed. Check their commas and their “}}”.",
        "Les accolades ouvertes ici par « {{ » ne sont pas fermées. Vérifiez leurs virgules et "
        "leur « }} ».",
    ),
    "yaml_dash": (
        "A list item is not expected here. Put the list on lines of its own below its key.",
        "Un élément de liste n’est pas attendu ici. Mettez la liste sur ses propres lignes, sous "
        "sa clé.",
    ),
    "yaml_indent": (
        "This line does not fit those above. Check its indentation, and quotes and brackets that "
        "end too early.",
        "Cette ligne ne s’accorde pas avec celles du dessus. Vérifiez son retrait, et les "
        "guillemets ou crochets fermés trop tôt.",
    ),
    "yaml_start": (
        "A text may not begin with “{character}”. Put it in quotes.",
        "Un texte ne peut pas commencer par « {character} ». Mettez-le entre guillemets.",
    ),
    "yaml_star": (
        "“*” and “&” have a meaning of their own at the beginning. Put the text in quotes.",
        "« * » et « & » ont un sens particulier au début. Mettez le texte entre guillemets.",
    ),
    "yaml_other": (
        "This line cannot be read as YAML: {problem}.",
        "Cette ligne n’est pas du YAML lisible : {problem}.",
    ),
    "alias_unknown": (
        "“*{name}” means something named with “&{name}” above, and there is none. Put a text in "
        "quotes.",
        "« *{name} » désigne ce qui est nommé par « &{name} » plus haut, et rien ne l’est. Mettez"
        " un texte entre guillemets.",
    ),
    "alias_of_itself": (
        "“*{name}” stands inside what it means, which would never end. Take it out.",
        "« *{name} » se trouve dans ce qu’il désigne, ce qui n’aurait pas de fin. Retirez-le.",
    ),
    "alias_bomb": (
        "The aliases (*) of this file come to more than can be read. Use fewer.",
        "Les alias (*) de ce fichier donnent plus que ce qui peut être lu. Utilisez-en moins.",
    ),
    "too_many": (
        "The file holds more than can be read; what follows is left out.",
        "Le fichier contient plus que ce qui peut être lu ; la suite est laissée de côté.",
    ),
    "too_deep": (
        "Lists and keys are nested too deeply here. Forty levels are read.",
        "Les listes et les clés sont trop imbriquées ici. Quarante niveaux sont lus.",
    ),
    "documents": (
        "“---” begins a second document, which is not read. Put everything into one.",
        "« --- » commence un second document, qui n’est pas lu. Mettez tout dans un seul.",
    ),
    "bad_merge": (
        "“<<” takes keys over from another mapping, and this is {found}.",
        "« << » reprend les clés d’un autre groupe de clés, et ceci est {found}.",
    ),
}

EDITS: Final = {
    "edit_unreadable": (
        "The configuration file has to be mended before the app can change it: {reason}",
        "Le fichier de configuration doit être corrigé avant que l’application puisse le modifier"
        " : {reason}",
    ),
    "edit_elsewhere": (
        "The app cannot change this without touching something else in the file. Change it in the"
        " file itself.",
        "L’application ne peut pas changer ceci sans toucher à autre chose dans le fichier. "
        "Changez-le dans le fichier lui-même.",
    ),
    "edit_exists": ("There is already an agent “{name}”.", "Il y a déjà un agent « {name} »."),
    "edit_no_agent": (
        "There is no agent “{name}” in the file.",
        "Il n’y a pas d’agent « {name} » dans le fichier.",
    ),
    "edit_bad_id": (
        "“{name}” cannot be an id: lower case letters, digits, - and _, beginning with a letter "
        "or digit.",
        "« {name} » ne peut pas être un identifiant : minuscules, chiffres, - et _, en commençant"
        " par une lettre ou un chiffre.",
    ),
    "edit_no_yaml": (
        "This cannot be written into the file.",
        "Ceci ne peut pas être écrit dans le fichier.",
    ),
}
