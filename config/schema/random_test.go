package schema_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/config/schema"
)

// writer draws values for the parts of a file, of which the loader takes some.
type writer struct{ *rand.Rand }

func (w writer) one(list ...string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: list[w.IntN(len(list))], Style: []yaml.Style{0, 0, yaml.SingleQuotedStyle}[w.IntN(3)]}
}

// value draws what may stand below the key of p.
func (w writer) value(p config.Part, depth int) *yaml.Node {
	switch p.Form {
	case config.WholeForm:
		return w.one("0", "1", "2", "7", "200", "-1", "010")
	case config.NumberForm:
		return w.one("0", "0.5", "1", "1.5", "2", "11", "1e0")
	case config.BoolForm:
		return w.one("true", "false", "True", "yes")
	case config.LengthForm:
		return w.one("0", "90s", "1h30m", "1d", "0.5s", ".5m", "5.s", "500ms", "3us", "90", "1 h", "2w")
	case config.SizeForm:
		return w.one("0", "65536", "1Mi", "2Ki", "1M")
	case config.SecretForm:
		return []*yaml.Node{
			w.one("x", "1", "true"), keyed("env", w.one("A", "B")), keyed("file", w.one("/a")), keyed("vault", w.one("x")),
		}[w.IntN(4)]
	case config.ListForm:
		if w.IntN(3) == 0 {
			return w.value(*p.Item, depth+1)
		}
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for range 1 + w.IntN(2) {
			n.Content = append(n.Content, w.value(*p.Item, depth+1))
		}
		return n
	case config.MapForm:
		return keyed("KEY", w.value(*p.Item, depth+1))
	case config.FieldsForm:
		return w.fields(p, depth)
	}
	if len(p.Words) > 0 && w.IntN(5) > 0 {
		return w.one(p.Words...)
	}
	return w.text(p)
}

// text draws a word that means something somewhere.
func (w writer) text(p config.Part) *yaml.Node {
	if words := schema.Words(p.Owner + "." + p.Key); len(words) > 0 && w.IntN(5) > 0 {
		return w.one(words...)
	}
	return w.one("a", "b", "p_1", "UTC", "Europe/Berlin", "2027-01-01", "2027-01-01T09:00", "mon", "12-25", "127.0.0.1:6379", "0 5 * * *", "@daily", "https://example.org/", "7", "true", "Forbid", "c")
}

func (w writer) fields(p config.Part, depth int) *yaml.Node {
	if p.Short != "" && w.IntN(3) == 0 {
		for _, part := range p.Parts {
			if part.Key == p.Short {
				return w.text(part)
			}
		}
	}
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, part := range p.Parts {
		if need := depth > 0 && len(p.Parts) < 4; need || w.IntN(3) == 0 {
			n.Content = append(n.Content, keyed(part.Key, w.value(part, depth+1)).Content...)
		}
	}
	return n
}

func keyed(key string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: key}, value}}
}

// TestTheSchemaAcceptsWhatTheLoaderAccepts writes many files, each with one drawn key,
// and has both judge them.
func TestTheSchemaAcceptsWhatTheLoaderAccepts(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	w := writer{rand.New(rand.NewPCG(7, 7))}
	const base = "calendars: [{name: c, dates: [12-25]}]\nconcurrencyGroups: [{name: c, limit: 1}]\njobs:\n- {name: b, schedule: manual, shell: x}\n- {name: c, schedule: manual, shell: x}\n"
	layout := config.Layout(kinds())
	var keys []struct {
		part config.Part
		head string
	}
	for _, p := range layout.Parts {
		switch p.Key {
		case "jobs":
			for _, below := range p.Item.Parts {
				head := base + "- name: a\n  "
				if below.Key != "schedule" {
					head += "schedule: 0 5 * * *\n  "
				}
				if !below.Kind {
					head += "shell: x\n  "
				}
				keys = append(keys, struct {
					part config.Part
					head string
				}{below, head})
			}
		case "defaults":
			for _, below := range p.Parts {
				keys = append(keys, struct {
					part config.Part
					head string
				}{below, base + "defaults:\n  "})
			}
		case "calendars", "concurrencyGroups":
		default:
			keys = append(keys, struct {
				part config.Part
				head string
			}{p, base})
		}
	}
	accepted := map[string]int{}
	for _, k := range keys {
		for range 20 {
			body, err := yaml.Marshal(keyed(k.part.Key, w.value(k.part, 0)))
			if err != nil {
				t.Fatal(err)
			}
			in := k.head[strings.LastIndexByte(k.head, '\n')+1:]
			text := k.head + strings.ReplaceAll(strings.TrimSpace(string(body)), "\n", "\n"+in) + "\n"
			if _, err := config.Parse("c.yaml", []byte(text), kinds()); err != nil {
				continue
			}
			accepted[k.part.Owner+"."+k.part.Key]++
			if err := verdict(s, []byte(text)); err != nil {
				t.Errorf("the loader accepts, the schema says %v\n%s", err, text[len(base):])
			}
		}
	}
	if len(accepted) < 40 {
		t.Errorf("files with %d different keys were accepted, want more: %v", len(accepted), accepted)
	}
}
