package grafana_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/deploy/grafana"
	"github.com/solocron/solocron/telemetry"
)

var update = flag.Bool("update", false, "write dashboard.json")

func TestTheCommittedDashboardIsFresh(t *testing.T) {
	t.Parallel()
	want, err := grafana.Dashboard()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("dashboard.json", want, 0o644); err != nil { //nolint:gosec // for everybody
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("dashboard.json is stale: go test ./deploy/grafana -update")
	}
}

// board is what the tests look at.
type board struct {
	Panels []struct {
		ID      int    `json:"id"`
		Type    string `json:"type"`
		Title   string `json:"title"`
		GridPos struct{ H, W, X, Y int }
		Targets []struct {
			Expr string `json:"expr"`
		} `json:"targets"`
	} `json:"panels"`
	Templating struct {
		List []struct {
			Name string `json:"name"`
		} `json:"list"`
	} `json:"templating"`
}

func read(t *testing.T) board {
	t.Helper()
	text, err := grafana.Dashboard()
	if err != nil {
		t.Fatal(err)
	}
	var b board
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPanelsAskOnlyForWhatExistsAndForEverythingThatDoes(t *testing.T) {
	t.Parallel()
	known, asked := map[string]bool{}, map[string]bool{}
	for _, i := range telemetry.NewMetrics(prometheus.NewRegistry()).Catalogue() {
		known[i.Name] = true
	}
	name, variable := regexp.MustCompile(`solocron_[a-z0-9_]+`), regexp.MustCompile(`\$[a-z_]+`)
	variables := "$__rate_interval"
	b := read(t)
	for _, v := range b.Templating.List {
		variables += " $" + v.Name
	}
	for _, p := range b.Panels {
		for _, q := range p.Targets {
			for _, m := range name.FindAllString(q.Expr, -1) {
				m = strings.TrimSuffix(strings.TrimSuffix(m, "_bucket"), "_count")
				asked[m] = true
				if !known[m] {
					t.Errorf("%s asks for %s, which does not exist", p.Title, m)
				}
			}
			for _, v := range variable.FindAllString(q.Expr, -1) {
				if !strings.Contains(variables, v) {
					t.Errorf("%s uses %s, which is no variable", p.Title, v)
				}
			}
		}
	}
	shownElsewhere := map[string]bool{ // figures of the configuration itself
		"solocron_config_jobs": true, "solocron_config_last_reload_timestamp_seconds": true, "solocron_job_timeout_seconds": true,
	}
	for m := range known {
		if !asked[m] && !shownElsewhere[m] {
			t.Errorf("no panel shows %s", m)
		}
	}
}

func TestNoPanelLiesOnAnother(t *testing.T) {
	t.Parallel()
	taken := map[[2]int]string{}
	ids := map[int]bool{}
	for _, p := range read(t).Panels {
		if ids[p.ID] {
			t.Errorf("%s: its id %d is taken", p.Title, p.ID)
		}
		ids[p.ID] = true
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if other := taken[at]; other != "" {
					t.Fatalf("%s lies on %s", p.Title, other)
				}
				taken[at] = p.Title
				if at[0] >= 24 {
					t.Fatalf("%s reaches beyond the right edge", p.Title)
				}
			}
		}
	}
}
