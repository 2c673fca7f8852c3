package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/solocron/solocron/config"
)

// writer turns Parts into schemas.
type writer struct {
	notes map[string]note // by owner and key, such as Redis.addr
}

// key writes the schema of what stands below the key of p.
func (w writer) key(p config.Part) *jsonschema.Schema {
	n := w.notes[p.Owner+"."+p.Key]
	s := w.form(p, n)
	if p.Null {
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
	}
	s.Description, s.Default = n.is, usual(p, n)
	for _, example := range n.such {
		s.Examples = append(s.Examples, example)
	}
	return s
}

// form writes the schema of p without what is for people.
func (w writer) form(p config.Part, n note) *jsonschema.Schema {
	switch p.Form {
	case config.WholeForm:
		return number("integer", `^-?(0|[1-9][0-9]*)$`, n)
	case config.NumberForm:
		return number("number", `^[-+.0-9eE]+$`, n)
	case config.BoolForm:
		return ref("switch")
	case config.LengthForm:
		return ref("length")
	case config.SizeForm:
		return ref("size")
	case config.SecretForm:
		return ref("secret")
	case config.ListForm:
		return w.list(p, n)
	case config.MapForm:
		s := &jsonschema.Schema{Type: "object", AdditionalProperties: w.form(*p.Item, note{})}
		if n.most != "" {
			s.MaxProperties = n.count()
		}
		return s
	case config.FieldsForm:
		return w.mapping(p)
	default:
		return text(p, n)
	}
}

// text is what a note narrows of all that may be written as text.
func text(p config.Part, n note) *jsonschema.Schema {
	switch words := slices.Concat(p.Words, n.words); {
	case len(words) > 0:
		s := &jsonschema.Schema{}
		for _, word := range words {
			s.Enum = append(s.Enum, word)
		}
		return s
	case n.pattern != "":
		s := scalars("string", "number", "boolean")
		s.Pattern = n.pattern
		if n.most != "" {
			s.MaxLength = n.count()
		}
		return s
	}
	return ref("text")
}

// number takes quotes too: the loader looks at the type of the field, not at them.
func number(kind, quoted string, n note) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: kind, Minimum: json.Number(n.least), Maximum: json.Number(n.most)},
		{Type: "string", Pattern: quoted},
	}}
}

func (w writer) list(p config.Part, n note) *jsonschema.Schema {
	if p.Item == nil {
		return &jsonschema.Schema{Type: "array"}
	}
	item := n
	item.most = "" // of the list
	s := &jsonschema.Schema{Type: "array", Items: w.form(*p.Item, item)}
	if n.most != "" {
		s.MaxItems = n.count()
	}
	if n.must {
		s.MinItems = new(uint64(1))
	}
	if !p.Single {
		return s
	}
	one := w.form(*p.Item, item)
	if p.Item.Form == config.FieldsForm { // one that is given without the list is its short form
		one = ref("text")
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{one, s}}
}

// mapping is fields, or the text that may stand for them.
func (w writer) mapping(p config.Part) *jsonschema.Schema {
	s := w.fields(p)
	if p.Short == "" {
		return s
	}
	i := slices.IndexFunc(p.Parts, func(one config.Part) bool { return one.Key == p.Short })
	short := p.Parts[i]
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{w.form(short, w.notes[short.Owner+"."+short.Key]), s}}
}

// fields is an object with the keys of p.
func (w writer) fields(p config.Part) *jsonschema.Schema {
	s := object()
	for _, part := range p.Parts {
		s.Properties.Set(part.Key, w.key(part))
		switch {
		case part.Kind:
			s.OneOf = append(s.OneOf, &jsonschema.Schema{Required: []string{part.Key}})
		case w.notes[part.Owner+"."+part.Key].must:
			s.Required = append(s.Required, part.Key)
		}
	}
	return s
}

// usual is the default of p, in the type that a schema gives it; nil if there is none.
func usual(p config.Part, n note) any {
	text := p.Default
	if n.usual != "" {
		text = strings.TrimPrefix(n.usual, none)
	}
	switch {
	case text == "":
		return nil
	case p.Form == config.BoolForm:
		return text == "true"
	case p.Form == config.WholeForm, p.Form == config.NumberForm:
		return json.Number(text)
	}
	return text
}
