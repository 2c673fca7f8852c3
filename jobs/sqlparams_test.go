package jobs_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/jobs"
)

func TestQueryParametersAreFoundWhereSQLHasThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dialect, query, want string }{
		{"sqlite", "select :day, :tick, :day", "select ?1, ?2, ?1"},
		{"postgres", "select :day, :tick, :day", "select $1, $2, $1"},
		{"postgres", "select ':day', \":day\", :day::date", "select ':day', \":day\", $1::date"},
		{"postgres", "select 'it''s :day' || :day", "select 'it''s :day' || $1"},
		{"postgres", `select E'\' :day' || :day`, `select E'\' :day' || $1`},
		{"postgres", `select '\' || :day || ''`, `select '\' || $1 || ''`},
		{"postgres", `select note'\' || :day`, `select note'\' || $1`},
		{"postgres", "select $$ :day $$, $q$ :day $$ $q$, :day", "select $$ :day $$, $q$ :day $$ $q$, $1"},
		{"postgres", "select a$b$c, :day", "select a$b$c, $1"},
		{"postgres", "select :day -- :tick\n, :tick", "select $1 -- :tick\n, $2"},
		{"postgres", "select /* /* :day */ :day */ :day", "select /* /* :day */ :day */ $1"},
		{"sqlite", "select /* /* :day */ :day", "select /* /* :day */ ?1"},
		{"sqlite", "select [a:day], `:day`, :day", "select [a:day], `:day`, ?1"},
		{"postgres", "select a[1:2], b := 3, :run_id", "select a[1:2], b := 3, $1"},
		{"postgres", "select ':day", "select ':day"},
		{"postgres", "select 'ü:day', :day", "select 'ü:day', $1"},
		{"sqlite", "", ""},
		{"sqlite", ":", ":"},
	} {
		got, _, err := jobs.BindParams(c.query, c.dialect)
		if err != nil || got != c.want {
			t.Errorf("%s %s\n got %s, %v\nwant %s", c.dialect, c.query, got, err, c.want)
		}
	}
}

func TestUnknownQueryParameterIsRefusedWithTheKnownOnes(t *testing.T) {
	t.Parallel()
	_, _, err := jobs.BindParams("select :yesterday", "sqlite")
	if err == nil || !strings.Contains(err.Error(), ":yesterday; known are :day, :tick, :run_id") {
		t.Errorf("got %v", err)
	}
}

func TestAnyQueryKeepsItsTextBesideTheParameters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			":day", ":tick", "'", `"`, "--", "/*", "*/", "\n", "$$", "$a$", "::", ":", `\`, "E'", "a", " ", "[", "]", "`", "é",
		})).Draw(t, "parts")
		dialect := rapid.SampledFrom([]string{"sqlite", "postgres"}).Draw(t, "dialect")
		query := strings.Join(parts, "")
		got, names, err := jobs.BindParams(query, dialect)
		if err != nil {
			return // such as :daya
		}
		mark := map[string]string{"sqlite": "?", "postgres": "$"}[dialect]
		for i := len(names); i > 0; i-- {
			got = strings.ReplaceAll(got, mark+string(rune('0'+i)), ":"+names[i-1])
		}
		if got != query || len(names) != len(slices.Compact(slices.Sorted(slices.Values(names)))) {
			t.Fatalf("%q became %q with %v", query, got, names)
		}
	})
}
