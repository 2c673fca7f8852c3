package effective

import (
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/config"
)

// hidden stands for a secret.
const hidden = "[secret]"

// userinfo is the user and the password in an address.
var userinfo = regexp.MustCompile(`://[^/@\s]*@`)

func hideUser(s string) string { return userinfo.ReplaceAllString(s, "://secret@") }

// copied is what stands in the file for p, without anything secret and with aliases
// and merged maps written out; nil if it is too large.
func (w *writer) copied(p *config.Part, n *yaml.Node) *yaml.Node {
	n = target(n)
	if !w.room() {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := mapping()
		m.Style = n.Style & yaml.FlowStyle
		for _, e := range entries(n, 0) {
			add(m, e.key, w.copied(below(p, e.key), e.value))
		}
		return m
	case yaml.SequenceNode:
		list := &yaml.Node{Kind: yaml.SequenceNode, Style: n.Style & yaml.FlowStyle}
		for _, item := range n.Content {
			if c := w.copied(below(p, ""), item); c != nil {
				list.Content = append(list.Content, c)
			}
		}
		return list
	case yaml.ScalarNode, yaml.DocumentNode, yaml.AliasNode:
	}
	for p != nil && (p.Form == config.ListForm || p.Short != "") { // for which a text may stand alone
		p = below(p, p.Short)
	}
	if p != nil && p.Form == config.SecretForm && n.Value != "" {
		return text(hidden)
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Style: n.Style, Value: hideUser(n.Value)}
}

// below is the part of what stands below key, or of an item, in p; nil: it is not known,
// or the part is a secret's own.
func below(p *config.Part, key string) *config.Part {
	switch {
	case p == nil:
		return nil
	case p.Item != nil:
		return p.Item
	}
	for i := range p.Parts {
		if p.Parts[i].Key == key {
			return &p.Parts[i]
		}
	}
	return nil
}
