package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/scheduler"
)

var listening = regexp.MustCompile(`"msg":"listening".*"addr":"([^"]+)"`)

// url is where p answers; it waits until p is ready.
func (p *process) url(t *testing.T) string {
	t.Helper()
	var found []string
	await(t, "the listener of "+p.name, 20*time.Second, func() bool {
		found = listening.FindStringSubmatch(p.log.String())
		return found != nil
	})
	base := "http://" + found[1]
	await(t, "readiness of "+p.name, 20*time.Second, func() bool {
		code, _, err := exchange(t.Context(), http.MethodGet, base+"/readyz", "")
		return err == nil && code == http.StatusOK
	})
	return base
}

func exchange(ctx context.Context, method, url, body string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	res, err := (&http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), err
}

// ask sends one request to the API of p, which must answer with status want, and
// reads the answer into v.
func (p *process) ask(t *testing.T, method, path, body string, want int, v any) {
	t.Helper()
	code, text, err := exchange(t.Context(), method, p.url(t)+"/api/v1"+path, body)
	if err != nil {
		t.Fatalf("%s %s of %s: %v", method, path, p.name, err)
	}
	if code != want {
		t.Fatalf("%s %s of %s: got %d, want %d: %s", method, path, p.name, code, want, text)
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%s %s of %s: %v: %s", method, path, p.name, err, text)
	}
}

// run is the row of a run, as p shows it.
func (p *process) run(t *testing.T, id string) admin.Run {
	t.Helper()
	var x admin.Run
	p.ask(t, http.MethodGet, "/runs/"+id, "", http.StatusOK, &x)
	return x
}

// ended waits until a run has ended.
func (p *process) ended(t *testing.T, id string, limit time.Duration) admin.Run {
	t.Helper()
	var x admin.Run
	await(t, "the end of run "+id, limit, func() bool {
		x = p.run(t, id)
		return x.State == scheduler.RunEnded
	})
	return x
}

// running waits until a run is in progress, and returns the process that runs it and
// another one.
func running(t *testing.T, replicas []*process, id string) (runs, other *process) {
	t.Helper()
	var x admin.Run
	await(t, "the begin of run "+id, 10*time.Second, func() bool {
		x = replicas[0].run(t, id)
		return x.State == scheduler.RunRunning && x.Replica != ""
	})
	for _, p := range replicas {
		if strings.HasPrefix(x.Replica, p.name+"-") {
			runs = p
		} else {
			other = p
		}
	}
	if runs == nil {
		t.Fatalf("run %s is on %q, which is none of the replicas", id, x.Replica)
	}
	return runs, other
}

// lines returns the lines of a file; a missing file has none.
func lines(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	for scan := bufio.NewScanner(f); scan.Scan(); {
		list = append(list, scan.Text())
	}
	return list
}

// trio starts three replicas and waits until all are ready.
func trio(t *testing.T, addr, settings, jobs string) []*process {
	t.Helper()
	var replicas []*process
	for _, name := range []string{"a", "b", "c"} {
		replicas = append(replicas, serve(t, name, addr, settings, jobs))
	}
	for _, p := range replicas {
		p.url(t)
	}
	return replicas
}

// trigger asks p to run a job, and returns the run.
func (p *process) trigger(t *testing.T, job string) string {
	t.Helper()
	var x admin.Run
	p.ask(t, http.MethodPost, fmt.Sprintf("/jobs/%s/trigger", job), `{"reason": "a test"}`, http.StatusAccepted, &x)
	return x.ID
}
