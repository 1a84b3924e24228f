"""Names that a Python repository declares exactly once, and every place that has them, by Python's own parser.

Reads {"root": ..., "files": [...]} from standard input and writes {"names": [...], "unreadable": [...]}.
A name counts when one `def` or `class` declares it and nothing else could be meant by it: nothing assigns it, no
parameter, keyword, alias, module or string is called so, and neither the standard library nor an installed
dependency has the word.
"""

import builtins
import json
import os
import re
import sys
import sysconfig
import tokenize

from python_file import WORD, File

ASCII_WORD = re.compile(rb"[A-Za-z_]\w*")


def read(path):
    with tokenize.open(path) as source:
        return source.read()


def words_elsewhere(root):
    """Words of the standard library and of what is installed in the repository: others may be meant by them."""
    words = set(dir(builtins))
    for kind in (str, bytes, list, dict, set, tuple, int, float, type, BaseException, memoryview):
        words.update(dir(kind))
    for module in sys.builtin_module_names:
        words.update(dir(__import__(module)))
    installed = [os.path.join(root, name) for name in (".venv", "venv")]
    for top in [sysconfig.get_path("stdlib"), *installed]:
        for folder, folders, files in os.walk(top):
            # Installers bring copies of well-known packages, perhaps of the very one that is judged.
            skipped = {"tests", "idlelib", "__pycache__", "pip", "setuptools", "_vendor"}
            if top not in installed:
                skipped |= {"test", "site-packages"}
            folders[:] = [name for name in folders if name not in skipped]
            for name in files:
                if name.endswith((".py", ".pyi")):
                    with open(os.path.join(folder, name), "rb") as source:
                        words.update(map(bytes.decode, set(ASCII_WORD.findall(source.read()))))
    return words


def own_modules(files):
    return {part.removesuffix(".pyi").removesuffix(".py") for name in files for part in name.split("/")}


def main():
    order = json.load(sys.stdin)
    root, files = order["root"], order["files"]
    parsed, unreadable = [], []
    taken = words_elsewhere(root) | own_modules(files)
    for name in files:
        try:
            text = read(os.path.join(root, name))
        except (SyntaxError, UnicodeDecodeError):
            unreadable.append(name)
            continue
        try:
            parsed.append(File(name, text))
        except (SyntaxError, tokenize.TokenError, RecursionError):
            unreadable.append(name)
            taken.update(WORD.findall(text))
    declared, places = {}, {}
    for file in parsed:
        taken.update(name for name in file.taken if name)
        for name, kind, scope, at in file.declared:
            declared.setdefault(name, []).append((file, kind, scope, at))
    for file in parsed:
        for name, at, role in file.places():
            if name in declared and name not in taken:
                places.setdefault(name, []).append((file, at, role))
    names = [
        entry
        for name, found in declared.items()
        if name not in taken and not name.startswith("__")
        for entry in [entry_of(name, found, places.get(name, []))]
        if entry
    ]
    json.dump({"names": names, "unreadable": unreadable}, sys.stdout)


def entry_of(name, found, places):
    """A stub may declare once more what the file beside it declares."""
    sources = [each for each in found if each[0].name.endswith(".py")]
    stubs = [each for each in found if each[0].name.endswith(".pyi")]
    if len(sources) != 1 or len(stubs) > 1 or any(stub[0].name != sources[0][0].name + "i" for stub in stubs):
        return None
    if any(role[0] == "unknown" for _, _, role in places):
        return None
    file, kind, scope, at = sources[0]
    return {
        "name": name,
        "kind": kind,
        "class": scope,
        **file.place(at),
        "places": [
            {**each.place(where), "class": role, **({"isMember": True} if member else {}), **({"caller": caller} if caller else {})}
            for each, where, (role, member, caller) in places
        ],
    }


main()
