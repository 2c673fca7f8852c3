package jobs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// checkNames reports a parameter that t names and nobody has declared, also
// where trying the template would not come by. Used is whether it names any.
func checkNames(t *template.Template, declared []Param) (used bool, err error) {
	names := make([]string, len(declared))
	known := make(map[string]bool, len(declared))
	for i, p := range declared {
		names[i], known[p.Name] = p.Name, true
	}
	var bad []string
	for _, one := range t.Templates() {
		if one.Tree == nil {
			continue
		}
		eachField(one.Root, func(path []string) {
			if path[0] != "Params" {
				return
			}
			used = true
			if len(path) > 1 && !known[path[1]] {
				bad = append(bad, fmt.Sprintf(".Params.%s is no parameter of the job%s", path[1], didYouMean(path[1], names)))
			}
		})
	}
	if len(bad) > 0 {
		return used, errors.New(strings.Join(slices.Compact(bad), "; "))
	}
	return used, nil
}

// eachField calls f with the path of every field of the dot that is named at or
// below n.
func eachField(n parse.Node, f func(path []string)) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, child := range n.Nodes {
			eachField(child, f)
		}
	case *parse.ActionNode:
		eachField(n.Pipe, f)
	case *parse.TemplateNode:
		eachField(n.Pipe, f)
	case *parse.IfNode:
		eachBranch(&n.BranchNode, f)
	case *parse.RangeNode:
		eachBranch(&n.BranchNode, f)
	case *parse.WithNode:
		eachBranch(&n.BranchNode, f)
	case *parse.PipeNode:
		if n == nil {
			return
		}
		for _, command := range n.Cmds {
			for _, arg := range command.Args {
				eachField(arg, f)
			}
		}
	case *parse.FieldNode:
		f(n.Ident)
	case *parse.VariableNode: // $.Params.name is Ident $, Params, name
		if len(n.Ident) > 1 && n.Ident[0] == "$" {
			f(n.Ident[1:])
		}
	case *parse.ChainNode:
		eachField(n.Node, f)
	}
}

func eachBranch(n *parse.BranchNode, f func(path []string)) {
	eachField(n.Pipe, f)
	eachField(n.List, f)
	eachField(n.ElseList, f)
}
