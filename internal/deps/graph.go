package deps

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Module is the path of the module whose packages the rules speak about.
const Module = "github.com/solocron/solocron"

// Package is what go list -deps -json says about one package.
type Package struct {
	ImportPath string
	Imports    []string // of its files that are not tests
	Standard   bool     // part of the standard library
}

// Name is the path of p inside the module: "election/redislease", "" for the
// root; ok is false if p is not of the module.
func (p Package) Name() (name string, ok bool) { return inModule(p.ImportPath) }

func inModule(path string) (name string, ok bool) {
	if path == Module {
		return "", true
	}
	return strings.CutPrefix(path, Module+"/")
}

// Graph is the packages of the module and all they import, by import path.
type Graph map[string]Package

// Decode reads what go list -deps -json printed.
func Decode(r io.Reader) (Graph, error) {
	g := Graph{}
	for dec := json.NewDecoder(r); ; {
		var p Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return g, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		g[p.ImportPath] = p
	}
}

// Own returns the packages of the module, sorted by path.
func (g Graph) Own() []Package {
	var own []Package
	for _, p := range g {
		if _, ok := p.Name(); ok {
			own = append(own, p)
		}
	}
	slices.SortFunc(own, func(a, b Package) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return own
}

// Chain returns the shortest way of imports from one of the roots to a package
// that bad accepts, or nil if there is none.
func (g Graph) Chain(roots []string, bad func(path string) bool) []string {
	from := map[string]string{}
	queue := slices.Clone(roots)
	for _, r := range roots {
		from[r] = ""
	}
	for ; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		if bad(path) {
			return unwind(from, path)
		}
		for _, next := range g[path].Imports {
			if _, seen := from[next]; !seen {
				from[next] = path
				queue = append(queue, next)
			}
		}
	}
	return nil
}

func unwind(from map[string]string, path string) []string {
	var chain []string
	for ; path != ""; path = from[path] {
		chain = append(chain, path)
	}
	slices.Reverse(chain)
	return chain
}
