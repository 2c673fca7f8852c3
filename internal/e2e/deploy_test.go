package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

const loadJobs = 100

// A receiver is the server that the jobs of a load call. It counts the calls for
// each run.
type receiver struct {
	url string
	mu  sync.Mutex
	got map[string]int
}

func receive(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{got: make(map[string]int)}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got[req.Header.Get("Solocron-Run-Id")]++
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *receiver) calls(run string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got[run]
}

// load is a hundred jobs that call url each second, and one that counts up to
// steps, five in a second, and goes on from its checkpoint.
func load(url, dir string, steps int) string {
	var text strings.Builder
	for i := range loadJobs {
		fmt.Fprintf(&text, "  - {name: load-%d, schedule: '@every 1s', history: {succeeded: 1000, failed: 1000}, catchup: all, http: {url: '%s'}}\n", i, url)
	}
	fmt.Fprintf(&text, `
  - name: count
    schedule: manual
    workingDir: %s
    shell: |
      i=$(cat "$SOLOCRON_CHECKPOINT" 2>/dev/null); i=${i:-0}
      echo "from $i on $REPLICA, attempt $SOLOCRON_ATTEMPT" >> counted
      while [ $i -lt %d ]; do sleep 0.2; i=$((i+1)); echo $i > "$SOLOCRON_CHECKPOINT"; done
      echo "to $i on $REPLICA, attempt $SOLOCRON_ATTEMPT" >> counted
`, dir, steps)
	return text.String()
}

// TestRollingRestartUnderLoadLosesNoTickAndHandsTheLongRunOver replaces three
// replicas, one after the other, while a hundred jobs run each second and a long
// one is under way on the first to go.
func TestRollingRestartUnderLoadLosesNoTickAndHandsTheLongRunOver(t *testing.T) {
	server, calls, dir := redistest.Start(t), receive(t), t.TempDir()
	const steps = 100 // 20 s
	const settings = shortLease + "\nshutdownGrace: 2s\n"
	jobs := load(calls.url, dir, steps)
	replicas := trio(t, server.Addr, settings, jobs)
	run := replicas[0].trigger(t, "count")
	first, _ := running(t, replicas, run)
	from := time.Now()
	<-time.After(4 * time.Second) // some steps and checkpoints, and load

	order := []*process{first}
	for _, p := range replicas {
		if p != first {
			order = append(order, p)
		}
	}
	var last *process
	for _, p := range order {
		last = serve(t, p.name+"2", server.Addr, settings, jobs)
		last.url(t)
		p.terminate(t)
		if code := p.cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("%s ended with code %d, want 0", p.name, code)
		}
		<-time.After(time.Second)
	}
	to := time.Now().Add(-time.Second)
	x := last.ended(t, run, 60*time.Second)
	handedOver(t, x, lines(t, dir+"/counted"), steps)
	for i := range loadJobs {
		complete(t, last, calls, fmt.Sprint("load-", i), from, to)
	}
}

// handedOver reports a long run that neither finished in one piece nor went on
// where it had been.
func handedOver(t *testing.T, x admin.Run, counted []string, steps int) {
	t.Helper()
	t.Logf("the long run: %s, attempt %d: %q", x.Verdict, x.Attempt, counted)
	if x.Verdict != scheduler.Succeeded || len(counted) < 3 {
		t.Fatalf("got %+v, %q, want it interrupted, handed over and succeeded", x, counted)
	}
	for _, a := range x.Attempts {
		if a.Verdict != scheduler.Interrupted {
			t.Errorf("an attempt ended as %s, want interrupted", a.Verdict)
		}
	}
	previous := 0
	for _, line := range counted {
		var from int
		if n, _ := fmt.Sscanf(line, "from %d", &from); n == 1 {
			if from < previous || len(x.Attempts) > 0 && line != counted[0] && from == 0 {
				t.Errorf("%q: it went on from %d after %d", counted, from, previous)
			}
			previous = from
		}
	}
	if end := counted[len(counted)-1]; !strings.HasPrefix(end, fmt.Sprintf("to %d ", steps)) {
		t.Errorf("it ended with %q, want all %d steps", end, steps)
	}
}

// complete reports the ticks of a job in (from, to] that were not called for
// exactly once, or have not exactly one row, of a run that succeeded.
func complete(t *testing.T, p *process, calls *receiver, job string, from, to time.Time) {
	t.Helper()
	s, err := schedule.Parse("@every 1s", schedule.Options{Key: "e2e/" + job})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for at := s.Next(from); !at.After(to); at = s.Next(at) {
		ids = append(ids, scheduler.Tick{Job: job, At: at}.ID())
	}
	q := url.Values{"from": {from.UTC().Format(time.RFC3339)}, "limit": {"1000"}}
	var rows map[string][]admin.Run
	within(t, 10*time.Second, func() bool {
		var list admin.Runs
		p.ask(t, http.MethodGet, "/jobs/"+job+"/runs?"+q.Encode(), "", http.StatusOK, &list)
		rows = make(map[string][]admin.Run)
		for _, x := range list.Items {
			rows[x.ID] = append(rows[x.ID], x)
		}
		for _, id := range ids {
			if len(rows[id]) != 1 || rows[id][0].State != scheduler.RunEnded {
				return false
			}
		}
		return true
	})
	for _, id := range ids {
		if n := calls.calls(id); n != 1 {
			t.Errorf("%s: %d calls, want 1", id, n)
		}
		if r := rows[id]; len(r) != 1 || r[0].Verdict != scheduler.Succeeded {
			t.Errorf("%s: rows %+v, want one that succeeded", id, r)
		}
	}
}
