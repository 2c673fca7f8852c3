package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/config/schema"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/postgres"
	"github.com/solocron/solocron/jobs/sqlite"
)

var update = flag.Bool("update", false, "rewrite schema.json")

func TestTheCommittedSchemaIsFresh(t *testing.T) {
	t.Parallel()
	got := made(t)
	if *update {
		if err := os.WriteFile("schema.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("schema.json is stale: go test ./config/schema -update")
	}
	if again := made(t); !bytes.Equal(got, again) {
		t.Error("two calls gave two texts")
	}
}

// made is the schema as JSON.
func made(t *testing.T) []byte {
	t.Helper()
	data, err := schema.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// compiled is the schema, ready to judge; it is one of draft 2020-12 itself.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(made(t)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if s.DraftVersion != 2020 {
		t.Fatalf("got draft %d, want 2020", s.DraftVersion)
	}
	return s
}

func kinds() []jobs.Kind {
	return jobs.Kinds(map[string]jobs.Func{"demo.seed": nil}, sqlite.Database(), postgres.Database())
}

func TestEveryKeyThatTheLoaderKnowsIsDescribed(t *testing.T) {
	t.Parallel()
	noted, used := schema.Noted(), map[string]bool{}
	var walk func(p config.Part, path string)
	walk = func(p config.Part, path string) {
		if p.Key != "" {
			used[p.Owner+"."+p.Key] = true
			if noted[p.Owner+"."+p.Key] == "" {
				t.Errorf("%s: the tables of package schema have no description for %s.%s", path, p.Owner, p.Key)
			}
		}
		if (p.Form == config.ListForm || p.Form == config.MapForm) && p.Item == nil {
			t.Errorf("%s: config.Layout does not know what its items are", path)
		}
		for _, below := range p.Parts {
			walk(below, path+"."+below.Key)
		}
		if p.Item != nil {
			walk(*p.Item, path+"[]")
		}
	}
	walk(config.Layout(kinds()), "")
	for key := range noted {
		if !used[key] {
			t.Errorf("the tables describe %s, which the loader does not know", key)
		}
	}
}

// TestTheLoaderKnowsEveryKeyOfTheSchema writes each key into a file by itself.
func TestTheLoaderKnowsEveryKeyOfTheSchema(t *testing.T) {
	t.Parallel()
	keys := 0
	var walk func(p config.Part, text, in, where string)
	walk = func(p config.Part, text, in, where string) {
		for _, below := range p.Parts {
			keys++
			_, err := config.Parse("c.yaml", []byte(text+in+below.Key+":\n"), kinds())
			if err == nil {
				continue
			}
			for line := range strings.Lines(err.Error()) {
				if strings.Contains(line, "is unknown") || strings.Contains(line, "later version") || strings.Contains(line, "belongs into a job") {
					t.Errorf("the schema has %s.%s, the loader says %s", where, below.Key, line)
				}
			}
			walk(below, text+in+below.Key+":\n", in+"  ", where+"."+below.Key)
			if item := below.Item; item != nil && len(item.Parts) > 0 {
				first := text + in + below.Key + ":\n" + in + "  - "
				for _, one := range item.Parts {
					walk(config.Part{Parts: []config.Part{one}}, first+"\n", in+"    ", where+"."+below.Key)
				}
			}
		}
	}
	walk(config.Layout(kinds()), "", "", "")
	if keys < 150 {
		t.Errorf("looked at %d keys, want all", keys)
	}
}

func TestAKindOfAnotherProgramIsInItsSchema(t *testing.T) {
	t.Parallel()
	type mail struct {
		*jobs.Command `yaml:"-"`

		To string `yaml:"to"`
	}
	own := jobs.Kind{Name: "mail", New: func(decode func(into any) error) (jobs.Runner, error) { return nil, decode(new(mail)) }}
	data, err := schema.For([]jobs.Kind{own})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), `"mail"`) || !strings.Contains(string(data), `"to"`) || strings.Contains(string(data), `"shell"`) {
		t.Errorf("want the one kind mail with its field to in\n%s", data)
	}
}

func TestTheDefaultsAreThoseInForce(t *testing.T) {
	t.Parallel()
	var doc struct {
		Properties map[string]struct {
			Default    any
			Properties map[string]struct{ Default any }
		}
	}
	if err := json.Unmarshal(made(t), &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		section, key string
		want         any
	}{
		{"defaults", "timeout", "1h"},
		{"defaults", "pauseOnFailure", 0.0},
		{"lease", "ttl", "30s"},
		{"lease", "store", "redis"},
		{"redis", "cluster", false},
		{"redis", "waitTimeout", nil},
	} {
		if got := doc.Properties[c.section].Properties[c.key].Default; got != c.want {
			t.Errorf("%s.%s: got the default %v, want %v", c.section, c.key, got, c.want)
		}
	}
}

func files(t *testing.T, patterns ...string) []string {
	t.Helper()
	var all []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		all = append(all, found...)
	}
	return all
}
