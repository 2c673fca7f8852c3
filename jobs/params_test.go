package jobs_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solocron/solocron/jobs"
)

// withParams is a run with parameters.
func withParams(nameAndValue ...string) jobs.Run {
	run := testRun()
	run.Params = map[string]string{}
	for i := 0; i < len(nameAndValue); i += 2 {
		run.Params[nameAndValue[i]] = nameAndValue[i+1]
	}
	return run
}

func TestShellFindsParametersInItsEnvironmentAndNeverInItsText(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	s := &jobs.Shell{Text: `printf '%s|%s|%s' "$SOLOCRON_PARAM_REGION" "$SOLOCRON_PARAM_DRY_RUN" "$SOLOCRON_PARAM_EMPTY" > "$OUT"`}
	if err := s.SetExec(jobs.Exec{Env: map[string]jobs.Secret{"OUT": {Literal: out}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), withParams("region", "$(id) `id` 'x' \"y\"; exit 7", "dry_run", "true", "empty", "")); err != nil {
		t.Fatal(err)
	}
	if got, want := mustRead(t, out), "$(id) `id` 'x' \"y\"; exit 7|true|"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHTTPCarriesParametersInHeadersAddressAndBody(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body []byte
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
	})
	h := &jobs.HTTP{
		URL:  url + `/v1/{{.Params.region}}/{{.Tick.Format "2006"}}?note={{ .Params.the_note }}`,
		Body: `{{.Params.region}} {{.Params.the_note}}`,
	}
	if err := h.DeclareParams([]jobs.Param{{Name: "region"}, {Name: "the_note"}}); err != nil {
		t.Fatal(err)
	}
	if err := h.Validate(); err != nil {
		t.Fatal(err)
	}
	const note = "a b&c=d#e?f/g%h+ü"
	if err := h.Run(t.Context(), withParams("region", "no/rd", "the_note", note)); err != nil {
		t.Fatal(err)
	}
	if path := got.URL.EscapedPath(); path != "/v1/no%2Frd/2026" {
		t.Errorf("got the path %s, want the region as one segment", path)
	}
	if query := got.URL.Query(); query.Get("note") != note || len(query) != 1 {
		t.Errorf("got the query %v, want the note as one value", query)
	}
	if string(body) != "no/rd "+note {
		t.Errorf("got the body %s", body)
	}
	if region, noted := got.Header.Get("Solocron-Param-Region"), got.Header.Get("Solocron-Param-The-Note"); region != "no/rd" || noted != note {
		t.Errorf("got the headers %q and %q", region, noted)
	}
}

func TestAValueInJSONStaysAValue(t *testing.T) {
	t.Parallel()
	var body []byte
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { body, _ = io.ReadAll(r.Body) })
	h := &jobs.HTTP{URL: url, Body: `{"region":{{json .Params.region}},"day":{{json (.Tick.Format "2006-01-02")}}}`, Params: []jobs.Param{{Name: "region"}}}
	if err := errors.Join(h.Validate(), h.Run(t.Context(), withParams("region", `x","admin":"\y`))); err != nil {
		t.Fatal(err)
	}
	if want := `{"region":"x\",\"admin\":\"\\y","day":"2026-11-29"}`; string(body) != want {
		t.Errorf("got %s, want %s", body, want)
	}
}

func TestNoParameterChoosesWhoIsCalled(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"{{.Params.host}}", "https://{{.Params.host}}/", "https://api.{{.Params.host}}", "https://user:{{.Params.host}}@example.org/",
		"https://example.org{{.Params.host}}/", "{{.Params.host}}://example.org/",
	} {
		h := &jobs.HTTP{URL: url, Params: []jobs.Param{{Name: "host", Default: "example.org"}}}
		fault, ok := errors.AsType[*jobs.FieldError](h.Validate())
		if !ok || fault.Field != "url" || !strings.Contains(fault.Msg, "a template cannot choose who is called") {
			t.Errorf("%s: got %v, want it refused", url, fault)
		}
	}
	called := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("called %s", r.URL) })
	for _, value := range []string{"..", "../admin", ".", "a/../../b"} {
		h := &jobs.HTTP{URL: called + "/v1/{{.Params.step}}", Params: []jobs.Param{{Name: "step"}}}
		if err := h.Run(t.Context(), withParams("step", value)); err == nil || !strings.Contains(err.Error(), "url: a parameter leads out of its path") {
			t.Errorf("%q: got %v, want it refused", value, err)
		}
	}
}

func TestHTTPNamesATemplateWithoutItsPassword(t *testing.T) {
	t.Parallel()
	h := &jobs.HTTP{URL: "https://user:hunter2@example.org/a/{{.Params.b}}?c=d"}
	if got, want := h.String(), "GET https://example.org/a/..."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParametersStayWithTheHostTheyAreMeantFor(t *testing.T) {
	t.Parallel()
	var other http.Header
	there := serve(t, func(_ http.ResponseWriter, r *http.Request) { other = r.Header })
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(there, "127.0.0.1", "localhost", 1), http.StatusFound)
	})
	if err := (&jobs.HTTP{URL: here}).Run(t.Context(), withParams("customer", "7")); err != nil {
		t.Fatal(err)
	}
	if other.Get("Solocron-Param-Customer") != "" || other.Get("Solocron-Job") != "nightly" {
		t.Errorf("got %v at another host, want the identity only", other)
	}
}

func TestReportBindsItsParameters(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.csv")
	r := report(salesFile(t), `SELECT region, :least < 4 AS less, :factor * 2 AS twice, :all AS every FROM sales
		WHERE region = :region AND n >= :least`, out)
	if err := r.DeclareParams([]jobs.Param{
		{Name: "region"},
		{Name: "least", Type: jobs.IntParam, Default: "1"},
		{Name: "factor", Type: jobs.NumberParam},
		{Name: "all", Type: jobs.BoolParam},
	}); err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		region string
		want   string
	}{
		{"Nord", "region,less,twice,every\nNord,1,3,1\n"},
		{"Nord' OR '1'='1", "region,less,twice,every\n"},
	} {
		if err := r.Run(t.Context(), withParams("region", c.region, "least", "3", "factor", "1.5", "all", "true")); err != nil {
			t.Fatal(err)
		}
		if got := mustRead(t, out); got != c.want {
			t.Errorf("region %s: got %q, want %q", c.region, got, c.want)
		}
	}
}

// The example of docs/policies.md: a parameter whose default is the tick's day.
func TestReportTakesTheDayOfItsTickUnlessOneIsGiven(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.csv")
	r := report(salesFile(t), "SELECT n FROM sales WHERE date(at) = coalesce(nullif(:date, ''), :day)", out)
	r.Params = []jobs.Param{{Name: "date"}}
	for date, want := range map[string]string{"": "n\n3\n", "2026-11-28": "n\n5\n"} {
		if err := r.Run(t.Context(), withParams("date", date)); err != nil {
			t.Fatal(err)
		}
		if got := mustRead(t, out); got != want {
			t.Errorf("date %q: got %q, want %q", date, got, want)
		}
	}
}

func TestReportRefusesParametersWhoseNamesAreTaken(t *testing.T) {
	t.Parallel()
	r := report("x.db", "SELECT :day, :region", "out.csv")
	err := r.DeclareParams([]jobs.Param{{Name: "region"}, {Name: "day"}})
	if fault, ok := errors.AsType[*jobs.FieldError](err); !ok || fault.Field != "params[1].name" {
		t.Errorf("got %v, want params[1].name blamed", err)
	}
	if err := r.Validate(); err != nil {
		t.Errorf("got %v, want the other parameter known all the same", err)
	}
	r.Params = []jobs.Param{{Name: "region"}, {Name: "run_id"}}
	if fault, ok := errors.AsType[*jobs.FieldError](r.Validate()); !ok || fault.Field != "params[1].name" {
		t.Errorf("got %v, want params[1].name blamed where nobody declares", fault)
	}
}

func TestNoParameterLeadsAReportOutOfItsDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := salesFile(t)
	file := func(template string) *jobs.Report {
		r := report(db, "SELECT 1 AS one", dir+template)
		r.Params = []jobs.Param{{Name: "a", Default: "x"}, {Name: "b", Default: "y"}}
		return r
	}
	for _, c := range []struct{ template, a, b, want string }{
		{"/out/{{.Params.a}}.csv", "north", "", "out/north.csv"},
		{"/out/{{.Params.a}}.csv", "../../etc/passwd", "", "out/%2E.%2F..%2Fetc%2Fpasswd.csv"},
		{"/out/{{.Params.a}}.csv", `50%/a\b`, "", "out/50%25%2Fa%5Cb.csv"},
		{"/out/{{.Params.a}}{{.Params.b}}/r.csv", ".", ".", "out/%2E%2E/r.csv"},
		{"/out/x{{.Params.a}}", "/", "", "out/x%2F"},
	} {
		if err := file(c.template).Run(t.Context(), withParams("a", c.a, "b", c.b)); err != nil {
			t.Errorf("%s with %q: %v", c.template, c.a, err)
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, c.want)); err != nil {
			t.Errorf("%s with %q: %v", c.template, c.a, err)
		}
	}
	for _, c := range []struct{ output, a string }{
		{dir + "/out/.{{.Params.a}}./r.csv", ""},
		{"{{.Params.a}}/r.csv", ""},
	} {
		r := file("")
		r.Output = c.output
		err := r.Run(t.Context(), withParams("a", c.a, "b", ""))
		if err == nil || !strings.Contains(err.Error(), "out of the directory") {
			t.Errorf("%s with %q: got %v, want it refused", c.output, c.a, err)
		}
	}
}

func TestAParameterThatNobodyDeclaresIsFoundInEveryPartOfATemplate(t *testing.T) {
	t.Parallel()
	for _, template := range []string{
		"{{.Params.regoin}}", "{{if .Params.region}}{{.Params.regoin}}{{end}}", "{{if false}}{{else}}{{.Params.regoin}}{{end}}",
		"{{with .Tick}}{{$.Params.regoin}}{{end}}", `{{printf "%s" .Params.regoin}}`, "{{range .Params}}{{$.Params.regoin}}{{end}}",
		"{{if false}}{{(printf .Params.regoin).X}}{{end}}", `{{define "t"}}{{if false}}{{.Params.regoin}}{{end}}{{end}}{{template "t" .}}`,
	} {
		h := &jobs.HTTP{URL: "http://127.0.0.1/", Body: template, Params: []jobs.Param{{Name: "region"}}}
		fault, ok := errors.AsType[*jobs.FieldError](h.Validate())
		if !ok || fault.Field != "body" || !strings.Contains(fault.Msg, ".Params.regoin is no parameter of the job: did you mean region?") {
			t.Errorf("%s: got %v, want the name found", template, fault)
		}
	}
	h := &jobs.HTTP{URL: "http://127.0.0.1/", Body: `{{range $k, $v := .Params}}{{$k}}={{$v}};{{end}}{{$x := .Params.region}}{{$x}}`, Params: []jobs.Param{{Name: "region"}}}
	if err := h.Validate(); err != nil {
		t.Errorf("got %v, want all of them to be listed", err)
	}
}

func TestDecodeTellsAKindWhichParametersThereAre(t *testing.T) {
	t.Parallel()
	runner, err := kind(t, "http", nil).New(func(into any) error {
		into.(*jobs.HTTP).URL = "http://127.0.0.1/{{.Params.region}}"
		return into.(jobs.WithParams).DeclareParams([]jobs.Param{{Name: "region"}})
	})
	if err != nil || runner.(*jobs.HTTP).Params[0].Name != "region" {
		t.Errorf("got %v, %v", runner, err)
	}
}
