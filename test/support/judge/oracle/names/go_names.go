// Names that a Go repository declares exactly once, and every place that has them, by Go's own parser.
//
// Reads {"root": ..., "files": [...]} from standard input and writes {"names": [...], "unreadable": [...]}.
// A name counts when nothing else could be meant by it: no field, parameter, variable, label, package or other
// declaration is called so, no struct embeds it, and, if it is exported, neither the standard library nor a
// dependency has the word.
package main

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

var (
	anyWord      = regexp.MustCompile(`[A-Za-z_]\w*`)
	exportedWord = regexp.MustCompile(`[A-Z]\w*`)
)

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
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil || isSetAside(name) {
			if err != nil {
				unreadable = append(unreadable, name)
			}
			for _, each := range anyWord.FindAllString(string(text), -1) {
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
			for _, each := range exportedWord.FindAll(text, -1) {
				all.taken[string(each)] = true
			}
		}
		return nil
	})
}
