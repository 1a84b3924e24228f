// Names that a Go repository declares exactly once, and every place that has them, by Go's own parser.
//
// Reads {"root": ..., "files": [...]} from standard input and writes {"names": [...], "unreadable": [...]}.
// A name counts when nothing else could be meant by it: no field, parameter, variable, label, package or other
// declaration is called so, no struct embeds it, and, if it is exported, neither the standard library nor a
// dependency has the word.
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf16"
)

type place struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Class    string `json:"class"`
	IsMember bool   `json:"isMember,omitempty"`
	Caller   string `json:"caller,omitempty"`
}

type named struct {
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`
	Class  string  `json:"class"`
	File   string  `json:"file"`
	Line   int     `json:"line"`
	Column int     `json:"column"`
	Places []place `json:"places"`
}

type order struct {
	Root string `json:"root"`
	// Folders of the standard library and of dependencies, whose words may mean something else.
	Elsewhere []string `json:"elsewhere"`
	Files     []string `json:"files"`
}

type declaration struct {
	kind  string
	class string
	place place
}

type index struct {
	declared map[string][]declaration
	taken    map[string]bool
	places   map[string][]place
}

var word = regexp.MustCompile(`[A-Z]\w*`)

func main() {
	var asked order
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	all := index{declared: map[string][]declaration{}, taken: map[string]bool{}, places: map[string][]place{}}
	unreadable := []string{}
	for _, name := range asked.Files {
		text, err := os.ReadFile(filepath.Join(asked.Root, name))
		if err != nil {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil || isSetAside(name) {
			if err != nil {
				unreadable = append(unreadable, name)
			}
			for _, each := range regexp.MustCompile(`\w+`).FindAllString(string(text), -1) {
				all.taken[each] = true
			}
			continue
		}
		(&reader{all: &all, name: name, files: files, lines: strings.Split(string(text), "\n")}).read(file)
	}
	for _, folder := range asked.Elsewhere {
		all.takeWordsBelow(folder)
	}
	names := []named{}
	for name, found := range all.declared {
		if len(found) != 1 || all.taken[name] || name == "_" || name == "main" || name == "init" {
			continue
		}
		at := found[0].place
		names = append(names, named{name, found[0].kind, found[0].class, at.File, at.Line, at.Column, all.places[name]})
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"names": names, "unreadable": unreadable}); err != nil {
		panic(err)
	}
}

// The go command does not look into these folders.
func isSetAside(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if part == "testdata" || part == "vendor" || strings.HasPrefix(part, "_") || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

func (all *index) takeWordsBelow(folder string) {
	_ = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "internal" || entry.Name() == "cmd") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			for _, each := range word.FindAll(text, -1) {
				all.taken[string(each)] = true
			}
		}
		return nil
	})
}

type reader struct {
	all   *index
	name  string
	files *token.FileSet
	lines []string
	// The function that is read, and the names that are no uses.
	function string
	roles    map[*ast.Ident]place
}

func (r *reader) place(ident *ast.Ident, class string, isMember bool) place {
	at := r.files.Position(ident.Pos())
	before := r.lines[at.Line-1][:at.Column-1]
	column := len(utf16.Encode([]rune(before))) + 1
	return place{r.name, at.Line, column, class, isMember, r.function}
}

func (r *reader) declare(ident *ast.Ident, kind, class string) {
	at := r.place(ident, "definition", false)
	at.Caller = ""
	r.roles[ident] = at
	r.all.declared[ident.Name] = append(r.all.declared[ident.Name], declaration{kind, class, at})
}

func (r *reader) take(idents ...*ast.Ident) {
	for _, ident := range idents {
		if ident != nil {
			r.all.taken[ident.Name] = true
		}
	}
}

func (r *reader) read(file *ast.File) {
	r.roles = map[*ast.Ident]place{}
	r.take(file.Name)
	for _, declared := range file.Decls {
		r.function = ""
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			if declared.Recv == nil {
				r.declare(declared.Name, "function", "top-level")
			} else {
				r.declare(declared.Name, "method", "member")
			}
			r.function = declared.Name.Name
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					r.declare(spec.Name, typeKind(spec), "top-level")
				case *ast.ValueSpec:
					for _, ident := range spec.Names {
						r.declare(ident, "variable", "top-level")
					}
				}
			}
		}
		ast.Inspect(declared, r.visit)
	}
}

func typeKind(spec *ast.TypeSpec) string {
	if _, ok := spec.Type.(*ast.InterfaceType); ok {
		return "interface"
	}
	return "type"
}

func (r *reader) visit(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.CallExpr:
		r.call(node.Fun)
	case *ast.SelectorExpr:
		if _, known := r.roles[node.Sel]; !known {
			r.roles[node.Sel] = r.place(node.Sel, "property", true)
		}
	case *ast.ImportSpec:
		r.take(node.Name)
		parts := strings.Split(strings.Trim(node.Path.Value, "\"`"), "/")
		r.all.taken[parts[len(parts)-1]] = true
	case *ast.Field:
		r.take(node.Names...)
	case *ast.StructType:
		for _, field := range node.Fields.List {
			if len(field.Names) == 0 {
				r.take(baseName(field.Type))
			}
		}
	case *ast.AssignStmt:
		if node.Tok == token.DEFINE {
			for _, left := range node.Lhs {
				if ident, ok := left.(*ast.Ident); ok {
					r.take(ident)
				}
			}
		}
	case *ast.RangeStmt:
		for _, each := range []ast.Expr{node.Key, node.Value} {
			if ident, ok := each.(*ast.Ident); ok && node.Tok == token.DEFINE {
				r.take(ident)
			}
		}
	case *ast.LabeledStmt:
		r.take(node.Label)
	case *ast.DeclStmt:
		r.takeLocals(node)
	case *ast.Ident:
		at, known := r.roles[node]
		if !known {
			at = r.place(node, "use", false)
		}
		r.all.places[node.Name] = append(r.all.places[node.Name], at)
	}
	return true
}

func (r *reader) takeLocals(node *ast.DeclStmt) {
	for _, spec := range node.Decl.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			r.take(spec.Name)
		case *ast.ValueSpec:
			r.take(spec.Names...)
		}
	}
}

func (r *reader) call(callee ast.Expr) {
	switch callee := callee.(type) {
	case *ast.Ident:
		r.roles[callee] = r.place(callee, "call", false)
	case *ast.SelectorExpr:
		r.roles[callee.Sel] = r.place(callee.Sel, "call", true)
	case *ast.ParenExpr:
		r.call(callee.X)
	case *ast.IndexExpr:
		r.call(callee.X)
	case *ast.IndexListExpr:
		r.call(callee.X)
	}
}

func baseName(expression ast.Expr) *ast.Ident {
	switch expression := expression.(type) {
	case *ast.Ident:
		return expression
	case *ast.StarExpr:
		return baseName(expression.X)
	case *ast.SelectorExpr:
		return expression.Sel
	case *ast.IndexExpr:
		return baseName(expression.X)
	case *ast.IndexListExpr:
		return baseName(expression.X)
	}
	return nil
}
