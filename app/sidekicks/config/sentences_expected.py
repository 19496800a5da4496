"""What a value is, and what was expected instead, in English and French: parts of sentences."""

from typing import Final

KINDS: Final = {
    "kind_mapping": ("keys with values", "un groupe de clés"),
    "kind_list": ("a list", "une liste"),
    "kind_nothing": ("nothing", "vide"),
    "kind_text": ("text", "un texte"),
    "kind_number": ("a number", "un nombre"),
    "kind_flag": ("yes or no", "un oui ou non"),
    "kind_date": ("a date", "une date"),
    "kind_foreign": ("of a type that is not known", "d’un type inconnu"),
}

EXPECTED: Final = {
    "a_file": ("keys such as maxRunning: and agents:", "des clés comme maxRunning: et agents:"),
    "agents": (
        "agents: with one entry for each, such as alice: {{command: …, workspace: …}}",
        "agents: avec une entrée pour chacun, comme alice: {{command: …, workspace: …}}",
    ),
    "an_entry": ("keys such as command: and workspace:", "des clés comme command: et workspace:"),
    "an_id": ("an id such as alice or code-review", "un identifiant comme alice ou relecture-2"),
    "a_name": ("a name, such as Alice", "un nom, comme Alice"),
    "another_name": ("a name that no other agent has", "un nom qu’aucun autre agent ne porte"),
    "a_command": ("a program, such as opencode", "un programme, comme opencode"),
    "a_list_of_texts": ("a list, such as [acp, --verbose]", "une liste, comme [acp, --verbose]"),
    "an_argument": ("an argument, such as --port or '8080'", "un argument, comme --port ou '8080'"),
    "a_mapping_of_texts": (
        "names with values, such as {{MODEL: small}}",
        "des noms et des valeurs, comme {{MODEL: small}}",
    ),
    "a_variable": ("a text, such as 'small'", "un texte, comme 'small'"),
    "a_variable_name": ("a name such as API_KEY", "un nom comme API_KEY"),
    "a_workspace": ("a folder, such as ~/work/alice", "un dossier, comme ~/travail/alice"),
    "a_defined_variable": (
        "a path whose parts are known",
        "un chemin dont chaque partie est connue",
    ),
    "a_flag": ("true or false", "true ou false"),
    "a_number": ("a whole number, such as 2", "un nombre entier, comme 2"),
    "a_recap": (
        "keys such as {{messages: 20, characters: 800, total: 8000}}",
        "des clés comme {{messages: 20, characters: 800, total: 8000}}",
    ),
    "a_runtime": (
        "keys such as {{type: container, container: my-box}}",
        "des clés comme {{type: container, container: ma-boite}}",
    ),
    "a_runtime_type": ("local, container or sbx", "local, container ou sbx"),
    "a_container": (
        "a container's name or id, such as my-box",
        "le nom ou l’id d’un conteneur, comme ma-boite",
    ),
    "a_sandbox": ("a sandbox's name, such as milo-sbx", "le nom d’un bac à sable, comme milo-sbx"),
    "a_context": ("a Docker context, such as my-server", "un contexte Docker, comme mon-serveur"),
    "a_workspace_path": ("a path inside, such as /work", "un chemin à l’intérieur, comme /work"),
    "a_list_of_servers": (
        "a list with one mapping for each server",
        "une liste avec un groupe de clés par serveur",
    ),
    "a_server": (
        "keys such as {{name: files, command: /usr/bin/mcp-files}}",
        "des clés comme {{name: files, command: /usr/bin/mcp-files}}",
    ),
    "a_server_name": ("a name, such as files", "un nom, comme files"),
    "a_server_type": ("stdio, http or sse", "stdio, http ou sse"),
    "a_server_command": (
        "the path of a program where the agent runs",
        "le chemin d’un programme là où tourne l’agent",
    ),
    "a_server_url": (
        "a URL, such as https://example.org/mcp",
        "une URL, comme https://example.org/mcp",
    ),
    "a_json_value": (
        "text, a number, true or false, a list or keys with values",
        "un texte, un nombre, true ou false, une liste ou des clés",
    ),
    "a_text": ("plain text", "un texte simple"),
}
