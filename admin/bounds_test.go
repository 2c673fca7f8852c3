package admin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/solocron/solocron/admin"
)

// Instants that may not be asked about, and the first and the last that may.
var (
	beyond = []string{"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-23:00"}
	within = []string{"1970-01-01T00:00:00Z", "8999-12-31T23:59:59.999Z"}
)

// instants are the members of a body that are instants, by their path in it.
func instants(doc *spec, s *schema, at string) []string {
	if s != nil && s.Ref != "" {
		s = doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	if s == nil {
		return nil
	}
	if s.Format == "date-time" {
		return []string{at}
	}
	var all []string
	for name, p := range s.Properties {
		all = append(all, instants(doc, p, at+"."+name)...)
	}
	return append(all, instants(doc, s.Items, at+"[0]")...)
}

// asking is a request that hands an instant to one place of an operation.
func asking(t *testing.T, path string, op operation, where, text string) (target, body string) {
	t.Helper()
	what := samples[op.ID]
	in, name, _ := strings.Cut(where, ".")
	switch in {
	case "path":
		base, _, _ := strings.Cut("/api/v1"+what.target, "?")
		parts, wants := strings.Split(base, "/"), strings.Split(path, "/")
		for i := range wants {
			if wants[i] == "{"+name+"}" {
				parts[i] = url.PathEscape(text)
			}
		}
		return strings.Join(parts, "/"), what.body
	case "query":
		at, err := url.Parse("/api/v1" + what.target)
		if err != nil {
			t.Fatal(err)
		}
		query := at.Query()
		query.Set(name, text)
		at.RawQuery = query.Encode()
		return at.String(), what.body
	}
	doc := map[string]any{}
	if what.body != "" {
		if err := json.Unmarshal([]byte(what.body), &doc); err != nil {
			t.Fatal(err)
		}
	}
	doc[name] = text
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return "/api/v1" + what.target, string(raw)
}

func TestNoOperationTakesAnInstantThatCouldNotBeTold(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	_, doc := describe(t, h)
	found := 0
	for path, item := range doc.Paths {
		for method, op := range item {
			var places []string
			for _, p := range op.Parameters {
				for range instants(&doc, p.Schema, "") {
					places = append(places, p.In+"."+p.Name)
				}
			}
			if op.RequestBody != nil {
				for _, content := range op.RequestBody.Content {
					places = append(places, instants(&doc, content.Schema, "body")...)
				}
			}
			for _, where := range places {
				found++
				for _, text := range beyond {
					target, body := asking(t, path, op, where, text)
					res, problem := call(t, h, strings.ToUpper(method), target, body)
					if res.StatusCode != http.StatusUnprocessableEntity || !blames(problem, where, "1970 to 8999") {
						t.Errorf("%s %s %s: got %d %v, want 422 that names %s and its bounds", method, target, body, res.StatusCode, problem, where)
					}
				}
				for _, text := range within {
					target, body := asking(t, path, op, where, text)
					code, answer := plainly(t, h, strings.ToUpper(method), target, body)
					if code >= 500 || strings.Contains(answer, "1970 to 8999") {
						t.Errorf("%s %s %s: got %d %s, want an instant within the bounds to be looked at", method, target, body, code, answer)
					}
				}
			}
		}
	}
	if found < 11 {
		t.Errorf("instants in the description: got %d, want those of at least 11 places", found)
	}
}

// blames reports whether a problem names a place and says what is wrong there.
func blames(problem map[string]any, where, text string) bool {
	faults, _ := problem["errors"].([]any)
	for _, f := range faults {
		fault, _ := f.(map[string]any)
		if fault["location"] == where && strings.Contains(fmt.Sprint(fault["message"]), text) {
			return true
		}
	}
	return false
}

func TestNoPageBeginsAtAnInstantThatCouldNotBeTold(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	for _, c := range []struct{ target, place string }{
		{"runs", `{"t":"9999-12-31T23:59:59-23:00","i":"x"}`},
		{"runs", `{"t":"1001-01-01T00:00:00Z","i":"x"}`},
		{"activity", `{"at":"9000-01-01T00:00:00Z"}`},
		{"activity", `{}`},
	} {
		res, doc := call(t, h, http.MethodGet, "/api/v1/"+c.target+"?pageToken="+tokenOf(c.place), "")
		if res.StatusCode != http.StatusUnprocessableEntity || !blames(doc, "query.pageToken", "") {
			t.Errorf("%s from %s: got %d %v, want 422", c.target, c.place, res.StatusCode, doc)
		}
	}
}

func TestMomentsEndBeforeTheYear9000(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hourly)
		defer w.stop()
		doc := w.ask("a", "GET", "jobs/hourly/next?n=100&from=8999-12-31T20:00:00Z", "", 200)
		if got := items(doc); len(got) != 4 || got[3]["time"] != "8999-12-31T23:00:00Z" || doc["reason"] == nil {
			t.Errorf("moments: got %v", doc)
		}
		late := w.ask("a", "GET", "jobs/hourly/ticks/8999-12-31T23:00:00Z", "", 200)
		is(t, late, map[string]any{"next": nil, "prev": "8999-12-31T22:00:00Z"})
		early := w.ask("a", "GET", "jobs/hourly/ticks/1970-01-01T00:00:00Z", "", 200)
		is(t, early, map[string]any{"prev": nil, "next": "1970-01-01T01:00:00Z"})
		doc = w.ask("a", "GET", "schedules/explain?expr=0+0+1+1+*&n=5&from=8998-06-01T00:00:00Z", "", 200)
		if got := items(doc); len(got) != 1 || got[0]["time"] != "8999-01-01T00:00:00Z" || !strings.Contains(doc["reason"].(string), "9000") {
			t.Errorf("explained: got %v", doc)
		}
	})
}
