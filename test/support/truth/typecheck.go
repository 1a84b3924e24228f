// Typecheck prints what Go's own type checker finds in packages named by their directories, as file:line. Unlike go vet
// and the compiler it goes on when a package that they import has errors, so that every package can be judged.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

const module = "truth/"

type checker struct {
	files    *token.FileSet
	imported map[string]*types.Package
}

func main() {
	for _, directory := range os.Args[1:] {
		each := checker{token.NewFileSet(), map[string]*types.Package{}}
		if _, err := each.check(directory, report); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	fmt.Println("end")
}

func report(at token.Position) {
	fmt.Printf("%s:%d\n", at.Filename, at.Line)
}

func (c checker) Import(name string) (*types.Package, error) {
	if known := c.imported[name]; known != nil {
		return known, nil
	}
	found, err := c.check(strings.TrimPrefix(name, module), func(token.Position) {})
	c.imported[name] = found
	return found, err
}

func (c checker) check(directory string, report func(token.Position)) (*types.Package, error) {
	names, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("no package in " + directory)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(c.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	config := types.Config{
		Importer: c,
		Error: func(err error) {
			var found types.Error
			if errors.As(err, &found) {
				report(found.Fset.Position(found.Pos))
			}
		},
	}
	// The errors have been reported one by one.
	checked, _ := config.Check(module+directory, c.files, files, nil)
	return checked, nil
}
