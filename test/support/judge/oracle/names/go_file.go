// What one file of Go declares, what else has a name in it, and what stands at each place.
package main

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode/utf16"
)

type reader struct {
	all   *index
	name  string
	files *token.FileSet
	lines []string
	// The function that is read, and what is known of names before they are reached.
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
	r.function = ""
	for _, group := range file.Comments {
		for _, comment := range group.List {
			r.mention(comment)
		}
	}
}

// Renames change the name in the documentation of what they rename, and need not.
func (r *reader) mention(comment *ast.Comment) {
	for _, at := range anyWord.FindAllStringIndex(comment.Text, -1) {
		name := comment.Text[at[0]:at[1]]
		ident := &ast.Ident{Name: name, NamePos: comment.Pos() + token.Pos(at[0])}
		r.all.places[name] = append(r.all.places[name], r.place(ident, "comment", false))
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
	case *ast.CommentGroup:
		return false
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
