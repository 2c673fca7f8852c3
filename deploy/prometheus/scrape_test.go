package prometheus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/solocron/solocron/deploy/grafana"
)

// server is a running Prometheus.
type server struct{ url string }

// prometheusOn starts Debian's Prometheus on a free port, with our rules, scraping
// addrs each second. It is gone when the test ends.
func prometheusOn(t *testing.T, addrs []string) server {
	t.Helper()
	path, err := exec.LookPath("prometheus")
	if err != nil {
		if os.Getenv("SOLOCRON_ALLOW_SKIP") == "1" {
			t.Skip("no prometheus: install Debian's package prometheus")
		}
		t.Fatal("no prometheus: install Debian's package prometheus, or set SOLOCRON_ALLOW_SKIP=1")
	}
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "prometheus.yaml")
	text := fmt.Sprintf("global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }\nrule_files: [%s/alerts.yaml, %s/recording.yaml]\n"+
		"scrape_configs: [{ job_name: solocron, static_configs: [{ targets: ['%s'], labels: { namespace: test } }] }]\n",
		here, here, strings.Join(addrs, "', '"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	listen := freeAddr(t)
	var said strings.Builder
	cmd := exec.Command(path, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+listen, "--log.level=warn") //nolint:gosec // ours
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Logf("prometheus: %v\n%s", err, &said)
		}
	})
	return server{"http://" + listen}
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// ask gets data from the API of s.
func (s server) ask(ctx context.Context, path string, params url.Values, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path+"?"+params.Encode(), nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer struct {
		Status string          `json:"status"`
		Error  string          `json:"error"`
		Data   json.RawMessage `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Status != "success" {
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Data, into)
}

// wanted is every metric that rules and the dashboard name.
func wanted(t *testing.T) []string {
	t.Helper()
	name := regexp.MustCompile(`\bsolocron_[a-z0-9_]+`)
	board, err := grafana.Dashboard()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range append(rules(t, "alerts.yaml"), rules(t, "recording.yaml")...) {
		names = append(names, name.FindAllString(r.Expr, -1)...)
	}
	names = append(names, name.FindAllString(string(board), -1)...)
	slices.Sort(names)
	return slices.Compact(names)
}

func TestARealPrometheusHasSeriesOfEverythingThatRulesAndPanelsName(t *testing.T) {
	t.Parallel()
	s := prometheusOn(t, cluster(t))
	names := wanted(t)
	if len(names) < 30 {
		t.Fatalf("metrics that are named: got %d", len(names))
	}
	soon(t, func() string {
		var known []string
		if err := s.ask(t.Context(), "/api/v1/label/__name__/values", nil, &known); err != nil {
			return err.Error()
		}
		var missing []string
		for _, n := range names {
			if !slices.Contains(known, n) {
				missing = append(missing, n)
			}
		}
		if len(missing) > 0 {
			return "no series of " + strings.Join(missing, ", ")
		}
		return ""
	})
	soon(t, func() string { return s.unwell(t.Context()) })
	for _, r := range rules(t, "recording.yaml") {
		soon(t, func() string {
			var known []json.RawMessage
			if err := s.ask(t.Context(), "/api/v1/series", url.Values{"match[]": {r.Record}}, &known); err != nil || len(known) == 0 {
				return fmt.Sprintf("no series of %s: %v", r.Record, err)
			}
			return ""
		})
	}
	soon(t, func() string { return s.fires(t.Context(), "SolocronJobFailing", "fails") })
}

// unwell says which target is down or which rule has not been evaluated well.
func (s server) unwell(ctx context.Context) string {
	var targets struct {
		ActiveTargets []struct{ Health, LastError string } `json:"activeTargets"`
	}
	if err := s.ask(ctx, "/api/v1/targets", nil, &targets); err != nil {
		return err.Error()
	}
	for _, target := range targets.ActiveTargets {
		if target.Health != "up" {
			return "a target is " + target.Health + ": " + target.LastError
		}
	}
	if len(targets.ActiveTargets) != 3 {
		return fmt.Sprintf("%d targets", len(targets.ActiveTargets))
	}
	var all struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string } `json:"rules"`
		} `json:"groups"`
	}
	if err := s.ask(ctx, "/api/v1/rules", nil, &all); err != nil {
		return err.Error()
	}
	if len(all.Groups) == 0 {
		return "no rules"
	}
	for _, g := range all.Groups {
		for _, r := range g.Rules {
			if r.Health == "err" {
				return r.Name + ": " + r.LastError
			}
		}
	}
	return ""
}

// fires says what is missing until alert fires about job.
func (s server) fires(ctx context.Context, alert, job string) string {
	var list struct {
		Alerts []struct {
			State  string            `json:"state"`
			Labels map[string]string `json:"labels"`
		} `json:"alerts"`
	}
	if err := s.ask(ctx, "/api/v1/alerts", nil, &list); err != nil {
		return err.Error()
	}
	for _, a := range list.Alerts {
		if a.State == "firing" && a.Labels["alertname"] == alert && a.Labels["job_name"] == job {
			return ""
		}
	}
	return fmt.Sprintf("%s does not fire about %s: %v", alert, job, list.Alerts)
}
