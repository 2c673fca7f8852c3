package tracing_test

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/internal/traceid"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry/tracing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	at     = time.Date(2026, 11, 29, 1, 30, 0, 0, time.UTC)
	report = scheduler.Tick{Job: "report", At: at}
	run    = jobs.Run{ID: report.ID(), Job: "report", Tick: at, Attempt: 1, Token: 41, Replica: "a"}
)

// told is what a tracer makes of events.
func told(t *testing.T, ratio float64, events ...scheduler.Event) tracetest.SpanStubs {
	t.Helper()
	keep := new(keeper)
	tr := tracing.New(tracing.Config{Exporter: keep, SampleRatio: ratio, Replica: "a", Namespace: "test", Version: "1"})
	for _, e := range events {
		tr.Observe(e)
	}
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return keep.spans
}

// keeper is an exporter that keeps spans, when it is shut too.
type keeper struct {
	mu    sync.Mutex
	spans tracetest.SpanStubs
}

func (k *keeper) Shutdown(context.Context) error { return nil }

func (k *keeper) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.spans = append(k.spans, tracetest.SpanStubsFromReadOnlySpans(spans)...)
	return nil
}

func named(t *testing.T, spans tracetest.SpanStubs, name string) tracetest.SpanStub {
	t.Helper()
	i := slices.IndexFunc(spans, func(s tracetest.SpanStub) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no span %q among %d", name, len(spans))
	}
	return spans[i]
}

func TestATickItsClaimAndItsRunAreOneTree(t *testing.T) {
	t.Parallel()
	spans := told(t, 1,
		scheduler.Event{Phase: scheduler.Started, At: at.Add(40 * time.Millisecond), Replica: "a", Tick: report, Run: run, Delay: 40 * time.Millisecond},
		scheduler.Event{
			Phase: scheduler.Ended, At: at.Add(3*time.Second + 40*time.Millisecond), Replica: "a", Tick: report, Run: run, Took: 3 * time.Second,
			Verdict: scheduler.Failed, Err: errors.New("exit status 3"),
		},
	)
	if len(spans) != 3 {
		t.Fatalf("spans: got %d, want 3", len(spans))
	}
	tick, claim, did := named(t, spans, "tick report"), named(t, spans, "claim report"), named(t, spans, "run report")
	if tick.Parent.IsValid() {
		t.Error("the span of the tick has a parent")
	}
	want := traceid.Of("report", at)
	for _, s := range []tracetest.SpanStub{tick, claim, did} {
		if got := s.SpanContext.TraceID(); got != want {
			t.Errorf("%s: trace %s, want %x", s.Name, got, want)
		}
	}
	for _, s := range []tracetest.SpanStub{claim, did} {
		if s.Parent.SpanID() != tick.SpanContext.SpanID() {
			t.Errorf("%s is not below the tick", s.Name)
		}
	}
	if !claim.StartTime.Equal(at) || !claim.EndTime.Equal(at.Add(40*time.Millisecond)) {
		t.Errorf("claim: from %v to %v", claim.StartTime, claim.EndTime)
	}
	if !did.StartTime.Equal(claim.EndTime) || !did.EndTime.Equal(tick.EndTime) || !tick.StartTime.Equal(at) {
		t.Errorf("run: from %v to %v; tick: from %v to %v", did.StartTime, did.EndTime, tick.StartTime, tick.EndTime)
	}
	if did.Status.Code != codes.Error || did.Status.Description != "exit status 3" {
		t.Errorf("status of the run: got %+v", did.Status)
	}
}

func TestWhatIsNoPartOfATraceOfThisReplicaMakesNoSpan(t *testing.T) {
	t.Parallel()
	found := run
	found.Replica = "b"
	spans := told(t, 1,
		scheduler.Event{Phase: scheduler.Waiting, At: at, Replica: "a", Note: "a notice about no job"},
		scheduler.Event{Phase: scheduler.Output, At: at, Replica: "a", Tick: report, Run: run, Note: "line"},
		scheduler.Event{Phase: scheduler.Ended, At: at, Replica: "a", Tick: report, Run: run, Verdict: scheduler.LeaseLost, Echo: true},
		scheduler.Event{Phase: scheduler.Ended, At: at, Replica: "a", Tick: report, Run: found, Verdict: scheduler.LeaseLost, Reason: scheduler.ReasonCrash, By: "b"},
	)
	var names []string
	for _, s := range spans {
		names = append(names, s.Name)
	}
	// The run that another replica speaks for, and the tick of the run that was found.
	if want := []string{"run report", "tick report"}; !slices.Equal(names, want) {
		t.Errorf("spans: got %q, want %q", names, want)
	}
}

func TestTheSameTicksAreSampledEverywhere(t *testing.T) {
	t.Parallel()
	var events []scheduler.Event
	for n := range 400 {
		tick := scheduler.Tick{Job: "report", At: at.Add(time.Duration(n) * time.Minute)}
		events = append(events, scheduler.Event{Phase: scheduler.Yielded, At: tick.At, Replica: "a", Tick: tick, By: "b"})
	}
	first, second := told(t, 0.25, events...), told(t, 0.25, events...)
	if len(first) < 50 || len(first) > 150 {
		t.Errorf("sampled of 400 with a ratio of a quarter: got %d", len(first))
	}
	for i := range first {
		if first[i].SpanContext.TraceID() != second[i].SpanContext.TraceID() {
			t.Fatal("two replicas sample different ticks")
		}
	}
	if got := told(t, 0, events...); len(got) != 0 {
		t.Errorf("sampled with a ratio of 0: got %d", len(got))
	}
}

func TestWhatARunCallsIsBelowItsSpan(t *testing.T) {
	t.Parallel()
	for ratio, flags := range map[float64]string{1: "-01", 0: "-00"} {
		tr := tracing.New(tracing.Config{Exporter: tracetest.NewNoopExporter(), SampleRatio: ratio})
		got := tr.Parent(run)
		_ = tr.Close(t.Context())
		id := traceid.Of("report", at)
		if len(got) != 55 || !strings.HasPrefix(got, "00-"+hex.EncodeToString(id[:])+"-") || !strings.HasSuffix(got, flags) {
			t.Errorf("ratio %v: got %q", ratio, got)
		}
	}
	again := run
	again.Attempt = 2
	tr := tracing.New(tracing.Config{Exporter: tracetest.NewNoopExporter(), SampleRatio: 1})
	defer tr.Close(t.Context())
	if tr.Parent(run) == tr.Parent(again) {
		t.Error("two attempts have one span")
	}
	span := named(t, told(t, 1, scheduler.Event{Phase: scheduler.Retried, At: at, Replica: "a", Tick: report, Run: run, Verdict: scheduler.Failed}), "run report")
	if got, want := tr.Parent(run), span.SpanContext.SpanID().String(); !strings.Contains(got, want) {
		t.Errorf("the run is told %q, its span is %s", got, want)
	}
}

func TestNobodyWhoDoesNotTracePaysForIt(t *testing.T) { // alone: it counts allocations
	tr, err := tracing.Open(&config.Config{}, "a", "1", slog.New(slog.DiscardHandler))
	if err != nil || tr != nil {
		t.Fatalf("without an endpoint: got %v, %v", tr, err)
	}
	e := scheduler.Event{Phase: scheduler.Started, Tick: report, Run: run}
	if n := testing.AllocsPerRun(100, func() { tr.Observe(e) }); n != 0 {
		t.Errorf("allocations of an event: got %v, want 0", n)
	}
	r := jobs.Func(func(context.Context, jobs.Run) error { return nil })
	if _, ok := tr.Runner(r).(jobs.Func); !ok || tr.Parent(run) != "" || tr.Close(t.Context()) != nil {
		t.Error("what is not traced is changed")
	}
}

// replica is one of several schedulers over one store.
func replica(t *testing.T, name string, store election.Store, tr *tracing.Tracer, work jobs.Func) *scheduler.Scheduler {
	t.Helper()
	elector, err := election.New(store, name, election.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := scheduler.New(elector, scheduler.Config{Replica: name}, tr)
	if err := s.Add("* * * * *", jobs.Job{Name: "report", Runner: tr.Runner(work)}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWinnerAndLosersOfATickMeetInOneTrace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := new(memlease.Store)
		exporters := map[string]*keeper{}
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		var mu sync.Mutex
		var parents []string
		work := func(_ context.Context, run jobs.Run) error {
			mu.Lock()
			defer mu.Unlock()
			parents = append(parents, run.TraceParent)
			return nil
		}
		for _, name := range []string{"a", "b", "c"} {
			exporters[name] = &keeper{}
			tr := tracing.New(tracing.Config{Exporter: exporters[name], SampleRatio: 1, Replica: name})
			s := replica(t, name, store, tr, work)
			running.Go(func() {
				_ = s.Run(ctx)
				_ = tr.Close(context.WithoutCancel(ctx))
			})
		}
		time.Sleep(61 * time.Second)
		stop()
		running.Wait()

		traces, runs, claims, yielded := map[string]bool{}, []tracetest.SpanStub{}, 0, 0
		for _, k := range exporters {
			for _, s := range k.spans {
				traces[s.SpanContext.TraceID().String()] = true
				switch s.Name {
				case "run report":
					runs = append(runs, s)
				case "claim report":
					claims++
					for _, a := range s.Attributes {
						if a.Key == "solocron.outcome" && a.Value.AsString() == "yielded" {
							yielded++
						}
					}
				}
			}
		}
		if len(traces) != 1 || len(runs) != 1 || claims != 3 || yielded != 2 {
			t.Fatalf("one tick on three replicas: got %d traces, %d runs, %d claims, of which %d yielded", len(traces), len(runs), claims, yielded)
		}
		want := "00-" + runs[0].SpanContext.TraceID().String() + "-" + runs[0].SpanContext.SpanID().String() + "-01"
		if !slices.Equal(parents, []string{want}) {
			t.Errorf("the run was told %q, want %q", parents, want)
		}
	})
}

func TestSpansArriveOverHTTPWithTheHeadersOfTheConfiguration(t *testing.T) {
	t.Parallel()
	got := make(chan *collector.ExportTraceServiceRequest, 4)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		in := new(collector.ExportTraceServiceRequest)
		if r.Header.Get("X-Key") != "hunter2" || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		got <- in
	}))
	defer s.Close()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var book strings.Builder
	cfg := &config.Config{Namespace: "test", Tracing: config.Tracing{
		Endpoint: s.URL + "/v1/traces", SampleRatio: 1, Headers: map[string]jobs.Secret{"X-Key": {File: key}},
	}}
	tr, err := tracing.Open(cfg, "a", "1", slog.New(slog.NewTextHandler(&book, nil)))
	if err != nil {
		t.Fatal(err)
	}
	tr.Observe(scheduler.Event{Phase: scheduler.Ended, At: at, Replica: "a", Tick: report, Verdict: scheduler.Missed, Reason: scheduler.ReasonDeadline})
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case in := <-got:
		span := in.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans()[0]
		want := traceid.Of("report", at)
		if span.GetName() != "tick report" || string(span.GetTraceId()) != string(want[:]) {
			t.Errorf("got %s in trace %x, want tick report in %x", span.GetName(), span.GetTraceId(), want)
		}
	default:
		t.Errorf("nothing arrived; log: %s", book.String())
	}
}

func TestAReceiverThatRefusesIsToldOfOnceAndWithoutItsSecrets(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer s.Close()
	var book strings.Builder
	cfg := &config.Config{Tracing: config.Tracing{
		Endpoint: s.URL, SampleRatio: 1, Headers: map[string]jobs.Secret{"Authorization": {Literal: "Bearer hunter2"}},
	}}
	tr, err := tracing.Open(cfg, "a", "1", slog.New(slog.NewTextHandler(&book, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 1500 { // three batches
		tr.Observe(scheduler.Event{Phase: scheduler.Yielded, At: at, Replica: "a", Tick: scheduler.Tick{Job: "report", At: at.Add(time.Duration(n) * time.Second)}})
	}
	_ = tr.Close(t.Context())
	if got := strings.Count(book.String(), "spans do not arrive"); got != 1 {
		t.Errorf("lines: got %d, want 1: %s", got, book.String())
	}
	if strings.Contains(book.String(), "hunter2") {
		t.Errorf("the log tells a secret: %s", book.String())
	}
	cfg.Tracing.Headers = map[string]jobs.Secret{"Authorization": {File: "/nonexistent/key"}}
	if _, err := tracing.Open(cfg, "a", "1", slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "tracing.headers.Authorization") {
		t.Errorf("a secret that cannot be read: got %v", err)
	}
}
