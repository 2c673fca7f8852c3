package admin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/admin"
)

// awkward are texts that programs stumble over, beside those that mean something here.
var awkward = []string{
	"", " ", "report", "busy", "gone", deadRun, oldRun, "lost.20261129T013000Z", "2026-11-29T01:00:00Z", "2026-02-30T25:61:00Z", "0001-01-01T00:00:00Z",
	"9999-12-31T23:59:59Z", "8999-12-31T23:59:59Z", "1970-01-01T00:00:00+14:00", "-1", "0", "1", "50", "1e9", "99999999999999999999", "NaN", "true", "null", "1h", "-1h", "1ns", "9999999h", "../..", "a/b", "%", "\x00",
	"\xff\xfe", "每日", "🚀", "#x", "'; drop table jobs; --", "{{.}}", "* * * * *", "CRON_TZ=UTC", "H H * * *", "@every 1s", "Europe/Berlin", "Local", "../../etc/passwd",
	"team=billing,!x", "=", ",,,", "name", "-lastRun", "failed,open", "eyJzIjoibmFtZSJ9", "e30", "W10", strings.Repeat("x", 5000), "1796000000123-0.2",
}

func anyText(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+" awkward") {
		return rapid.SampledFrom(awkward).Draw(t, label)
	}
	return rapid.StringN(0, 40, -1).Draw(t, label)
}

// guess is a value that a schema may have led somebody to, or may not.
func guess(t *rapid.T, doc *spec, s *schema, label string, depth int) any {
	if s != nil && s.Ref != "" {
		s = doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	if s == nil || depth > 3 || rapid.IntRange(0, 9).Draw(t, label+" wild") == 0 {
		return rapid.SampledFrom([]any{nil, true, -1, 1.5, 1e300, "", "x", []any{}, []any{1}, map[string]any{}, map[string]any{"x": nil}}).Draw(t, label)
	}
	switch s.Type {
	case "object":
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if rapid.IntRange(0, 3).Draw(t, label+"."+name+" there") > 0 {
				out[name] = guess(t, doc, s.Properties[name], label+"."+name, depth+1)
			}
		}
		if rapid.IntRange(0, 9).Draw(t, label+" more") == 0 {
			out[anyText(t, label+" name")] = anyText(t, label+" value")
		}
		return out
	case "integer", "number":
		return rapid.SampledFrom([]any{0, 1, 41, -1, 1000, 1001, 1e18, 0.5}).Draw(t, label)
	case "boolean":
		return rapid.Bool().Draw(t, label)
	}
	if s.Format == "date-time" {
		return rapid.SampledFrom([]string{"2026-11-01T00:00:00Z", "2026-11-02T00:00:00+02:00", "2027-01-01T00:00:00Z", "2026-11-01", "0001-01-01T00:00:00Z", "8999-12-31T23:59:59-14:00", "9999-12-31T23:59:59-23:00"}).Draw(t, label)
	}
	return anyText(t, label)
}

// letter is a request made up from the description of an operation.
func letter(t *rapid.T, doc *spec, path string, op operation) (target, body string, header http.Header) {
	query, header := url.Values{}, http.Header{}
	for _, p := range op.Parameters {
		if p.In != "path" && rapid.IntRange(0, 2).Draw(t, p.Name+" there") == 0 {
			continue
		}
		text := anyText(t, p.Name)
		if s := p.Schema; s != nil && len(s.Enum) > 0 && rapid.Bool().Draw(t, p.Name+" known") {
			text = fmt.Sprint(rapid.SampledFrom(s.Enum).Draw(t, p.Name+" word"))
		}
		switch p.In {
		case "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", strings.ReplaceAll(url.PathEscape(text), ".", "%2E"))
		case "query":
			query.Set(p.Name, text)
		case "header":
			header.Set(p.Name, strings.Map(printable, text))
		}
	}
	if op.RequestBody != nil {
		if rapid.IntRange(0, 9).Draw(t, "raw") == 0 {
			body = anyText(t, "body")
		} else {
			for _, content := range op.RequestBody.Content {
				raw, err := json.Marshal(guess(t, doc, content.Schema, "body", 0))
				if err != nil {
					t.Fatal(err)
				}
				body = string(raw)
			}
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, body, header
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return -1
	}
	return r
}

func TestNoRequestMadeFromTheDescriptionIsAnsweredInAWayThatItDoesNotSay(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	_, doc := describe(t, h)
	paths := slices.Sorted(maps.Keys(doc.Paths))
	answered := map[int]int{}
	for range 25 { // rapid has 100 of each, which is a flag of its own
		rapid.Check(t, func(t *rapid.T) {
			path := rapid.SampledFrom(paths).Draw(t, "path")
			method := rapid.SampledFrom(slices.Sorted(maps.Keys(doc.Paths[path]))).Draw(t, "method")
			op := doc.Paths[path][method]
			target, body, header := letter(t, &doc, path, op)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			if op.ID == "followEvents" {
				cancel() // it would go on
			}
			defer cancel()
			r, err := http.NewRequestWithContext(ctx, strings.ToUpper(method), "http://localhost"+target, strings.NewReader(body))
			if err != nil {
				return // no request at all
			}
			r.Header, r.RemoteAddr = header, "192.0.2.1:1"
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			answered[w.Code]++
			if _, said := op.Responses[strconv.Itoa(w.Code)]; !said && !(w.Code == 404 && strings.Contains(path, "{")) || w.Code >= 500 && w.Code != 503 && w.Code != 501 {
				t.Fatalf("%s %s %s %v: got %d, which is not in the description: %.300s", method, target, body, header, w.Code, w.Body)
			}
		})
	}
	if answered[200] < 100 || answered[422] < 100 || answered[404] < 100 {
		t.Errorf("the requests are of one sort: %v", answered)
	}
}
