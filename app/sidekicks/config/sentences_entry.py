"""What is said of settings and agents, in English and French."""

from typing import Final

VALUES: Final = {
    "expected_text": (
        "“{key}” must be text, and is {found}.",
        "« {key} » doit être un texte, et c’est {found}.",
    ),
    "needs_quotes": (
        "YAML does not read {written} as text. Put it in quotes: '{written}'.",
        "YAML ne lit pas {written} comme un texte. Mettez-le entre guillemets : '{written}'.",
    ),
    "needs_no_quotes": ("Write {written} without quotes.", "Écrivez {written} sans guillemets."),
    "expected_number": (
        "“{key}” must be a number, and is {found}.",
        "« {key} » doit être un nombre, et c’est {found}.",
    ),
    "not_a_number": (
        "“{written}” is no whole number.",
        "« {written} » n’est pas un nombre entier.",
    ),
    "out_of_range": (
        "“{key}” must be {least} to {most}, and is {written}.",
        "« {key} » doit être compris entre {least} et {most}, et vaut {written}.",
    ),
    "expected_flag": (
        "“{key}” must be true or false, and is {found}.",
        "« {key} » doit être true ou false, et c’est {found}.",
    ),
    "not_a_flag": (
        "“{written}” is neither true nor false.",
        "« {written} » n’est ni true ni false.",
    ),
    "expected_list": (
        "“{key}” must be a list, and is {found}.",
        "« {key} » doit être une liste, et c’est {found}.",
    ),
    "expected_mapping": (
        "“{key}” must hold keys with values, and is {found}.",
        "« {key} » doit contenir des clés et des valeurs, et c’est {found}.",
    ),
    "file_not_mapping": (
        "The file must hold keys with values, and is {found}.",
        "Le fichier doit contenir des clés et des valeurs, et c’est {found}.",
    ),
    "key_not_text": (
        "A key must be text, and this one is {found}.",
        "Une clé doit être un texte, et celle-ci est {found}.",
    ),
    "no_text": (
        "This holds a character that no program takes as text. Take the escape out.",
        "Ceci contient un caractère qu’aucun programme n’accepte comme texte. Retirez "
        "l’échappement.",
    ),
    "damaged_text": (
        "This text could not be read whole. Save the file as UTF-8.",
        "Ce texte n’a pas pu être lu en entier. Enregistrez le fichier en UTF-8.",
    ),
    "empty": (
        "“{key}” is empty. Fill it in, or take the line out.",
        "« {key} » est vide. Remplissez-le, ou retirez la ligne.",
    ),
    "missing": ("“{key}” is missing.", "« {key} » manque."),
    "duplicate": (
        "“{name}” stands twice: also on line {first}. Keep one.",
        "« {name} » est présent deux fois : aussi à la ligne {first}. Gardez-en un.",
    ),
    "unknown_nearest": (
        "“{name}” is not known. Is “{nearest}” meant?",
        "« {name} » n’est pas connu. Vouliez-vous « {nearest} » ?",
    ),
    "unknown_elsewhere": (
        "“{name}” belongs under “{place}”.",
        "« {name} » se place sous « {place} ».",
    ),
    "unknown_key": (
        "“{name}” is not known here. Known are: {known}.",
        "« {name} » n’est pas connu ici. Sont connus : {known}.",
    ),
}

AGENTS: Final = {
    "no_agents": (
        "The file names no agents. Add one under “agents:”.",
        "Le fichier ne nomme aucun agent. Ajoutez-en un sous « agents: ».",
    ),
    "bad_id": (
        "“{name}” cannot be an id: lower case letters, digits, - and _, beginning with a letter "
        "or digit. The name that is shown goes into “name:”.",
        "« {name} » ne peut pas être un identifiant : minuscules, chiffres, - et _, en commençant"
        " par une lettre ou un chiffre. Le nom affiché se met dans « name: ».",
    ),
    "id_taken": (
        "The id “{name}” is taken by the app. Choose another.",
        "L’identifiant « {name} » est réservé par l’application. Choisissez-en un autre.",
    ),
    "bad_name": (
        "A name is one line of 1 to {most} characters.",
        "Un nom tient sur une ligne de 1 à {most} caractères.",
    ),
    "name_taken": (
        "The name “{written}” is taken by the app. Choose another.",
        "Le nom « {written} » est réservé par l’application. Choisissez-en un autre.",
    ),
    "name_twice": (
        "“{name}” also means the agent “{other}”, so @{name} would be unclear. Choose another "
        "name.",
        "« {name} » désigne aussi l’agent « {other} » : @{name} serait ambigu. Choisissez un "
        "autre nom.",
    ),
    "command_with_arguments": (
        "“command” is the program alone. Put “{rest}” into “args:”, and leave “{program}”.",
        "« command » est le programme seul. Mettez « {rest} » dans « args: », et laissez « "
        "{program} ».",
    ),
    "no_such_variable": (
        "{name} is not set, so the folder is not known. Set it, or write the path out.",
        "{name} n’est pas défini, et le dossier reste inconnu. Définissez-le, ou écrivez le "
        "chemin en entier.",
    ),
    "no_such_user": (
        "There is no user {name}, so the folder is not known. Write the path out.",
        "L’utilisateur {name} n’existe pas, et le dossier reste inconnu. Écrivez le chemin en "
        "entier.",
    ),
    "bad_variable_name": (
        "“{name}” cannot be the name of an environment variable there.",
        "« {name} » ne peut pas être le nom d’une variable d’environnement à cet endroit.",
    ),
    "unknown_runtime_type": (
        "There is no runtime “{written}”.",
        "Il n’y a pas d’environnement « {written} ».",
    ),
    "runtime_type_missing": ("“type: {type}” is missing here.", "« type: {type} » manque ici."),
    "runtime_needs": (
        "A runtime of type “{type}” needs “{key}”.",
        "Un environnement de type « {type} » a besoin de « {key} ».",
    ),
    "key_unfit": (
        "“{key}” means nothing for type “{type}”.",
        "« {key} » n’a pas de sens pour le type « {type} ».",
    ),
    "bad_docker_name": (
        "“{written}” cannot be a name there: letters, digits, and _ . - behind the first.",
        "« {written} » ne peut pas être un nom ici : lettres, chiffres, et _ . - après le premier"
        " caractère.",
    ),
    "not_absolute": (
        "“{written}” must begin with “/”: it is a path inside.",
        "« {written} » doit commencer par « / » : c’est un chemin à l’intérieur.",
    ),
}
