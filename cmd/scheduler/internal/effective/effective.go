package effective

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/config"
)

// maxNodes bounds what is written, about half a kilobyte of memory each: 25,000 jobs.
// Aliases can make much of a small file.
const maxNodes = 1_000_000

var errTooLarge = errors.New("the configuration is too large to be written out")

// Source is a configuration and where it comes from.
type Source struct {
	Text   []byte         // of the file, as it was loaded
	Loaded *config.Config // with environment and flags
	Layout config.Part    // of files, as config.Layout has it
	Env    config.Lookup  // as it was loaded with; may be nil
	Flags  map[string]string
	Most   int // bound of the nodes that are written; 0: a million
}

// Document returns s written out, as a YAML map with comments. The error is that the
// text is not that of a file that can be loaded, or that it is too large.
func (s *Source) Document() (*yaml.Node, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(s.Text, &file); err != nil {
		return nil, fmt.Errorf("yaml: %w", err)
	}
	if len(file.Content) != 1 {
		return nil, errors.New("yaml: the file is empty")
	}
	w := &writer{source: s, common: map[string]bool{}, most: cmp.Or(s.Most, maxNodes)}
	top := target(file.Content[0])
	settings, _ := w.settings(reflect.ValueOf(s.Loaded).Elem(), "", top)
	doc := mapping()
	var list *config.Part
	for i := range s.Layout.Parts {
		p := &s.Layout.Parts[i]
		if p.Key == "jobs" { // they come last, as they are many
			list = p
			continue
		}
		add(doc, p.Key, w.section(p, child(settings, p.Key), child(top, p.Key)))
	}
	if list != nil {
		add(doc, list.Key, w.jobs(list.Item, child(top, list.Key), child(top, "defaults")))
	}
	if w.nodes > w.most {
		return nil, errTooLarge
	}
	return doc, nil
}

// section is one part of the top of a file: a setting, or what stands in the file; nil:
// nothing.
func (w *writer) section(p *config.Part, setting, written *yaml.Node) *yaml.Node {
	switch {
	case p.Key == "defaults":
		for i := range p.Parts {
			w.common[p.Parts[i].Key] = true
		}
		w.rules = rules{w.source.Loaded.Defaults.Policies, true, true}
		return w.fields(p, "", layers{own: written})
	case setting != nil:
		return setting
	case written != nil:
		return w.copied(p, written)
	}
	return nil
}

// writer makes the nodes of a document.
type writer struct {
	source *Source
	common map[string]bool // fields that defaults can have
	rules  rules           // of the job that is written
	nodes  int
	most   int
}

// room counts a node, and reports whether there is room for it.
func (w *writer) room() bool {
	w.nodes++
	return w.nodes <= w.most
}
