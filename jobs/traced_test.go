package jobs_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

const aTrace = "00-1deb7ab5e6ffa09fa933ce50d8ee0c71-00f067aa0ba902b7-01"

func inTrace(jobs.Run) string { return aTrace }

// printed runs r and returns its lines of standard output.
func printed(t *testing.T, r jobs.Runner) []string {
	t.Helper()
	var mu sync.Mutex
	var lines []string
	err := r.Run(t.Context(), jobs.Run{ID: "x", Job: "x", Tick: time.Unix(0, 0), Link: jobs.Hooks{OnOutput: func(stream, line string) {
		mu.Lock()
		defer mu.Unlock()
		if stream == "stdout" {
			lines = append(lines, line)
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestACommandFindsItsTraceInTheEnvironmentAndNoOther(t *testing.T) {
	t.Setenv("TRACEPARENT", "00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-01") // the scheduler's own
	c := &jobs.Command{Argv: []string{"/bin/sh", "-c", `echo "${TRACEPARENT-none}"`}}
	if got, want := printed(t, jobs.Traced(c, inTrace)), []string{aTrace}; !slices.Equal(got, want) {
		t.Errorf("in a trace: got %q, want %q", got, want)
	}
	if got, want := printed(t, c), []string{"none"}; !slices.Equal(got, want) {
		t.Errorf("not traced: got %q, want %q", got, want)
	}
}

func TestAServerFindsTheTraceOfARunInItsHeader(t *testing.T) {
	t.Parallel()
	got := make(chan string, 2)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header.Get("Traceparent") }))
	defer s.Close()
	h := &jobs.HTTP{URL: s.URL}
	printed(t, jobs.Traced(h, inTrace))
	printed(t, h)
	if first, second := <-got, <-got; first != aTrace || second != "" {
		t.Errorf("got %q and %q, want the trace, and nothing where nobody traces", first, second)
	}
}

func TestAFunctionFindsItsTraceInItsRunAndItsContext(t *testing.T) {
	t.Parallel()
	var inRun, inContext string
	f := jobs.Func(func(ctx context.Context, run jobs.Run) error {
		known, _ := jobs.FromContext(ctx)
		inRun, inContext = run.TraceParent, known.TraceParent
		return nil
	})
	printed(t, jobs.Traced(f, inTrace))
	if inRun != aTrace || inContext != aTrace {
		t.Errorf("got %q in the run and %q in the context, want %q", inRun, inContext, aTrace)
	}
}

func TestASyncThatIsTracedIsStillOne(t *testing.T) {
	t.Parallel()
	j := jobs.Job{Name: "copy", Runner: jobs.Traced(&jobs.Sync{}, inTrace)}
	j.Overlap = jobs.AllowOverlap
	if err := j.Validate(); err == nil {
		t.Error("a sync whose runs may overlap: got no error, want the one of a plain sync")
	}
}
