package admin_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// shelf is configurations, the one that runs first.
type shelf []*config.Config

func (s shelf) Known() []string {
	var all []string
	for _, c := range s {
		all = append(all, c.Revision)
	}
	return all
}

func (s shelf) Revision(id string) (*config.Config, bool) {
	i := slices.IndexFunc(s, func(c *config.Config) bool { return c.Revision == id })
	if i < 0 {
		return nil, false
	}
	return s[i], true
}

// written is a configuration of this text, under a revision of a test's choice.
func written(t *testing.T, revision, text string) *config.Config {
	t.Helper()
	c, err := config.Parse("jobs.yaml", []byte(text), jobs.Kinds(nil))
	if err != nil {
		t.Fatal(err)
	}
	c.Revision = revision
	return c
}

// shelved are two configurations: 1 runs and 0 ran before.
func shelved(t *testing.T) shelf {
	t.Helper()
	const text = "jobs:\n  - {name: report, schedule: %q, command: [/bin/true], env: {KEY: {env: SECRET}}}\n  - {name: %s, schedule: \"0 0 * * *\", command: [/bin/true]}\n"
	return shelf{written(t, "1", fmt.Sprintf(text, "0 2 * * *", "fresh")), written(t, "0", fmt.Sprintf(text, "0 3 * * *", "stale"))}
}

func TestConfigurationsThatAReplicaKnowsAreCompared(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	_, doc := call(t, h, http.MethodGet, "/api/v1/config/diff?a=0", "")
	is(t, doc, map[string]any{"same": false})
	is(t, doc["b"].(map[string]any), map[string]any{"asked": "running", "revision": "1"})
	var got []string
	for _, c := range doc["changes"].([]any) {
		change := c.(map[string]any)
		line := fmt.Sprint(change["kind"], " ", change["job"], ":", change["line"], " ", change["before"], " ", change["after"])
		for _, f := range change["fields"].([]any) {
			line += fmt.Sprint(" ", f)
		}
		got = append(got, line)
	}
	want := []string{
		"changed report:2 2026-11-29T03:00:00Z 2026-11-29T02:00:00Z map[new:0 2 * * * old:0 3 * * * path:schedule]",
		"added fresh:3 <nil> 2026-11-30T00:00:00Z", "removed stale:3 2026-11-30T00:00:00Z <nil>",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	_, doc = call(t, h, http.MethodGet, "/api/v1/config/diff?a=a&b=1", "") // replica a has revision 1
	is(t, doc, map[string]any{"same": true})
	is(t, doc["a"].(map[string]any), map[string]any{"asked": "a", "revision": "1"})
}

func TestAConfigurationThatIsNotKnownIsSaidWithThoseThatAre(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	for query, detail := range map[string]string{
		"a=b": `the revision 2 of replica "b"`, "a=0&b=zz": `"zz"`, "a=%00": "It has: 1, 0.", "a=../../etc/passwd": "It has: 1, 0.",
	} {
		res, doc := call(t, h, http.MethodGet, "/api/v1/config/diff?"+query, "")
		if res.StatusCode != 404 || doc["type"] != "urn:solocron:problem:unknown-revision" || fmt.Sprint(doc["known"]) != "[1 0]" || !strings.Contains(doc["detail"].(string), detail) {
			t.Errorf("%s: got %d %v", query, res.StatusCode, doc)
		}
	}
	for _, query := range []string{"", "a=", "a=" + long(301), "a=0&c=1"} {
		if res, _ := call(t, h, http.MethodGet, "/api/v1/config/diff?"+query, ""); res.StatusCode != 422 {
			t.Errorf("%.20s: got %d, want 422", query, res.StatusCode)
		}
	}
}

func TestATextIsComparedWithWhatRuns(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	const text = "lease: {ttl: 1m}\njobs:\n  - {name: report, schedule: %q, command: [/bin/true], env: {KEY: {env: SECRET}}}\n"
	_, doc := call(t, h, http.MethodPost, "/api/v1/config/diff?name=new.yaml", fmt.Sprintf(text, "0 4 * * *"))
	is(t, doc, map[string]any{"same": false})
	is(t, doc["a"].(map[string]any), map[string]any{"asked": "running", "revision": "1"})
	is(t, doc["b"].(map[string]any), map[string]any{"asked": "new.yaml"})
	var got []string
	for _, c := range doc["changes"].([]any) {
		change := c.(map[string]any)
		got = append(got, fmt.Sprint(change["kind"], " ", change["job"], " ", change["after"]))
	}
	if want := []string{"changed report 2026-11-29T04:00:00Z", "removed fresh <nil>"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q: jobs only", got, want)
	}
	res, doc := call(t, h, http.MethodPost, "/api/v1/config/diff", "jobs: [{name: a, schdule: x}]")
	if res.StatusCode != 422 || doc["type"] != "urn:solocron:problem:bad-config" || len(doc["problems"].([]any)) != 1 {
		t.Errorf("got %d %v, want a 422 with the problem", res.StatusCode, doc)
	}
}

func TestHowTheLastReloadWentIsTold(t *testing.T) {
	t.Parallel()
	d := everything(t)
	_, doc := call(t, admin.New(d), http.MethodGet, "/api/v1/config", "")
	is(t, doc, map[string]any{"lastReload": nil})
	d.Current = func() *admin.Loaded { return &admin.Loaded{Revision: "2", Namespace: "test", Jobs: 1, At: now} }
	d.Reloaded = func() *admin.Reload { return &admin.Reload{At: now.Add(time.Minute), OK: true, Revision: "2"} }
	_, doc = call(t, admin.New(d), http.MethodGet, "/api/v1/config", "")
	is(t, doc["loaded"].(map[string]any), map[string]any{"revision": "2"})
	is(t, doc["lastReload"].(map[string]any), map[string]any{"ok": true, "at": "2026-11-29T01:31:00Z", "revision": "2"})
	if problems, ok := doc["lastReload"].(map[string]any)["problems"].([]any); !ok || len(problems) != 0 {
		t.Errorf("problems: got %v, want an empty list", doc["lastReload"])
	}
}
