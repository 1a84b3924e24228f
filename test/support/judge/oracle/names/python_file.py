"""One file of Python: who declares what in it, what else has a name, and what stands at each place."""

import ast
import io
import keyword
import re
import tokenize

WORD = re.compile(r"[^\W\d]\w*")


class File:
    def __init__(self, name, text):
        self.name = name
        self.lines = text.splitlines(keepends=True)
        self.declared = []
        self.taken = set()
        # By place: class, whether it is a member, and the innermost function.
        self.roles = {}
        tree = ast.parse(text)
        self.tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        self.names = {}
        for token in self.tokens:
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
                self.names.setdefault(token.start[0], []).append(token)
        self.visit(tree, None, "top-level", False)

    def point(self, node_line, byte_column):
        """ast counts bytes, tokenize characters."""
        line = self.lines[node_line - 1]
        return node_line, len(line.encode("utf-8")[:byte_column].decode("utf-8"))

    def name_token(self, name, start, end):
        """The first token of that name between two places."""
        for line in range(start[0], end[0] + 1):
            for token in self.names.get(line, []):
                if token.string == name and start <= token.start and token.end <= end:
                    return token.start
        return None

    def last_token(self, name, start, end):
        found = None
        for line in range(start[0], end[0] + 1):
            for token in self.names.get(line, []):
                if token.string == name and start <= token.start and token.end <= end:
                    found = token.start
        return found

    def span(self, node):
        return self.point(node.lineno, node.col_offset), self.point(node.end_lineno, node.end_col_offset)

    def visit(self, node, function, scope, annotated):
        handler = getattr(self, "on_" + type(node).__name__, None)
        if handler:
            handler(node, function, scope, annotated)
        else:
            self.visit_children(node, function, scope, annotated)

    def visit_children(self, node, function, scope, annotated):
        for field, value in ast.iter_fields(node):
            inner = annotated or field in ("annotation", "returns", "type_params")
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child, function, scope, inner)

    def on_ClassDef(self, node, function, scope, annotated):
        self.declare(node, "class", scope)
        self.decorators(node, function, scope)
        for part in [*node.bases, *node.keywords, *getattr(node, "type_params", [])]:
            self.visit(part, function, scope, annotated)
        for part in node.body:
            self.visit(part, function, "local" if scope == "local" else "member", False)

    def on_FunctionDef(self, node, function, scope, annotated):
        self.declare(node, "method" if scope == "member" else "function", scope)
        self.decorators(node, function, scope)
        for part in [node.args, *([node.returns] if node.returns else []), *getattr(node, "type_params", [])]:
            self.visit(part, function, scope, part is node.returns)
        for part in node.body:
            self.visit(part, node.name, "local", False)

    on_AsyncFunctionDef = on_FunctionDef

    def decorators(self, node, function, scope):
        for part in node.decorator_list:
            if isinstance(part, (ast.Name, ast.Attribute)):
                self.role(part, "applied", function)
                if isinstance(part, ast.Attribute):
                    self.visit(part.value, function, scope, False)
            else:
                self.visit(part, function, scope, False)

    def declare(self, node, kind, scope):
        start, end = self.span(node)
        at = self.name_token(node.name, start, end)
        self.declared.append((node.name, kind, scope, at))
        self.roles[at] = ("definition", False, None)

    def role(self, node, role, function):
        start, end = self.span(node)
        if isinstance(node, ast.Attribute):
            at = self.last_token(node.attr, start, end)
            self.roles[at] = ("property" if role == "use" else role, True, function)
        else:
            self.roles[start] = (role, False, function)

    def on_Call(self, node, function, scope, annotated):
        callee = node.func
        if isinstance(callee, (ast.Name, ast.Attribute)):
            self.role(callee, "call", function)
            if isinstance(callee, ast.Attribute):
                self.visit(callee.value, function, scope, annotated)
        else:
            self.visit(callee, function, scope, annotated)
        for part in [*node.args, *node.keywords]:
            self.visit(part, function, scope, annotated)

    def on_keyword(self, node, function, scope, annotated):
        if node.arg:
            self.taken.add(node.arg)
        self.visit(node.value, function, scope, annotated)

    def on_arg(self, node, function, scope, annotated):
        self.taken.add(node.arg)
        if node.annotation:
            self.visit(node.annotation, function, scope, True)

    def on_Name(self, node, function, scope, annotated):
        if isinstance(node.ctx, ast.Load):
            self.role(node, "use", function)
        else:
            self.taken.add(node.id)

    def on_Attribute(self, node, function, scope, annotated):
        if isinstance(node.ctx, ast.Load):
            self.role(node, "use", function)
        else:
            self.taken.add(node.attr)
        self.visit(node.value, function, scope, annotated)

    def on_alias(self, node, function, scope, annotated):
        if node.asname:
            # Under another name the places that have it can no longer be told by their words.
            self.taken.update((node.asname, node.name.split(".")[-1]))

    def on_ImportFrom(self, node, function, scope, annotated):
        self.taken.update((node.module or "").split("."))
        self.visit_children(node, function, scope, annotated)
        start, end = self.span(node)
        for alias in node.names:
            at = self.last_token(alias.name, start, end)
            if at:
                self.roles[at] = ("import", False, function)

    def on_Import(self, node, function, scope, annotated):
        for alias in node.names:
            self.taken.update(alias.name.split("."))
        self.visit_children(node, function, scope, annotated)

    def on_ExceptHandler(self, node, function, scope, annotated):
        self.taken.add(node.name)
        self.visit_children(node, function, scope, annotated)

    def on_Global(self, node, function, scope, annotated):
        self.taken.update(node.names)

    on_Nonlocal = on_Global

    def on_MatchAs(self, node, function, scope, annotated):
        self.taken.add(node.name)
        self.visit_children(node, function, scope, annotated)

    def on_MatchStar(self, node, function, scope, annotated):
        self.taken.add(node.name)

    def on_MatchClass(self, node, function, scope, annotated):
        self.taken.update(node.kwd_attrs)
        self.visit_children(node, function, scope, annotated)

    def on_TypeVar(self, node, function, scope, annotated):
        self.taken.add(node.name)

    def on_Assign(self, node, function, scope, annotated):
        is_export = any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
        for part in node.targets:
            self.visit(part, function, scope, False)
        if not is_export:
            self.visit(node.value, function, scope, False)

    def on_JoinedStr(self, node, function, scope, annotated):
        """Before Python 3.12 neither places nor tokens inside of an f-string are to be had."""
        self.taken.update(word for part in ast.walk(node) for word in words_of(part))

    def on_Constant(self, node, function, scope, annotated):
        if not isinstance(node.value, str) or not node.value.isidentifier():
            return
        line, column = self.point(node.lineno, node.col_offset)
        text = self.lines[line - 1][column:]
        if annotated and text[:1] in "'\"" and text[1:].startswith(node.value):
            self.roles[(line, column + 1)] = ("use", False, function)
        else:
            self.taken.add(node.value)

    def places(self):
        """Every word of the code, and the words of its strings."""
        for token in self.tokens:
            if token.type == tokenize.NAME:
                yield token.string, token.start, self.roles.get(token.start, ("unknown", False, None))
            elif token.type == tokenize.STRING:
                for found in WORD.finditer(token.string):
                    before = token.string[: found.start()]
                    line = token.start[0] + before.count("\n")
                    column = found.start() - before.rfind("\n") - 1 if "\n" in before else token.start[1] + found.start()
                    yield found.group(), (line, column), self.roles.get((line, column), ("mention", False, None))

    def place(self, at):
        line, column = at
        units = len(self.lines[line - 1][:column].encode("utf-16-le")) // 2
        return {"file": self.name, "line": line, "column": units + 1}


def words_of(node):
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    return WORD.findall(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
