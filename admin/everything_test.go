package admin_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
	"github.com/solocron/solocron/scheduler"
)

// puppet is an engine in which the name of a job or run says what becomes of it.
type puppet struct {
	*engine
	away *atomic.Bool
}

// fates are what may become of a wish, by how the name that it is about begins.
var fates = map[string]error{
	"gone": scheduler.ErrUnknownJob, "lost": scheduler.ErrUnknownRun, "busy": &scheduler.BusyError{Run: "busy.x", By: "b", Remaining: time.Second},
	"over": scheduler.ErrEnded, "never": scheduler.ErrNoTick, "bare": scheduler.ErrNoJournal, "many": scheduler.ErrTooMany,
	"odd": &scheduler.ParamsError{Faults: []error{&jobs.ParamError{Param: "day", Msg: "is no number"}}},
}

// fate is what becomes of a wish about a job or run of this name, if that is one of those it may meet.
func (p puppet) fate(name string, may ...string) error {
	if p.away.Load() {
		return fmt.Errorf("%w: connection refused", scheduler.ErrNoAnswer)
	}
	for _, word := range may {
		if strings.HasPrefix(name, word) {
			return fates[word]
		}
	}
	return nil
}

func (p puppet) Jobs() []scheduler.Status {
	all := p.engine.Jobs()
	for i := range all {
		all[i].Suspend = all[i].Job == "still"
	}
	return all
}

func (p puppet) Job(name string) (scheduler.Status, error) {
	s, err := p.engine.Job(name)
	s.Suspend = name == "still"
	return s, err
}

func (p puppet) row(job string, may ...string) (scheduler.Row, error) {
	return scheduler.Row{ID: job + ".20261129T013000Z", Job: job, Tick: now, Cause: scheduler.ByHand, State: scheduler.RunEnded, Verdict: scheduler.Succeeded}, p.fate(job, may...)
}

func (p puppet) Trigger(_ context.Context, job string, o scheduler.Order) (scheduler.Row, error) {
	row, err := p.row(job, "gone", "busy", "odd")
	row.Note, row.Params, row.By = o.Note, o.Params, o.By
	return row, err
}

func (p puppet) Rerun(_ context.Context, run string, _ scheduler.Order) (scheduler.Row, error) {
	return p.row(run, "lost", "bare", "odd")
}

func (p puppet) Cancel(_ context.Context, run string, _ scheduler.Order) (scheduler.Row, error) {
	return p.row(run, "lost", "over", "bare")
}

func (p puppet) Backfill(_ context.Context, job string, _ scheduler.Range, _ scheduler.Order) ([]scheduler.Row, error) {
	row, err := p.row(job, "gone", "bare", "many", "odd")
	return []scheduler.Row{row}, err
}

func (p puppet) Pause(_ context.Context, job string, until time.Time, o scheduler.Order) (election.Gate, error) {
	return election.Gate{Closed: true, Until: until, By: o.By, Reason: o.Note}, p.fate(job, "gone", "bare")
}

func (p puppet) Resume(_ context.Context, job string, _ scheduler.Order) (election.Gate, error) {
	return election.Gate{}, p.fate(job, "gone", "bare")
}

func (p puppet) SkipNext(_ context.Context, job string, _ scheduler.Order) (time.Time, error) {
	return now, p.fate(job, "gone", "bare", "never")
}

// moody is what a store remembers, unless it is away.
type moody struct {
	*memjournal.Journal
	away *atomic.Bool
}

var errAway = errors.New("connection refused")

func (m moody) fault() error {
	if m.away.Load() {
		return errAway
	}
	return nil
}

func (m moody) Open(ctx context.Context) ([]scheduler.Row, error) {
	if err := m.fault(); err != nil {
		return nil, err
	}
	return m.Journal.Open(ctx)
}

func (m moody) Past(ctx context.Context, job string, q scheduler.Query) ([]scheduler.Row, error) {
	if err := m.fault(); err != nil {
		return nil, err
	}
	return m.Journal.Past(ctx, job, q)
}

func (m moody) Find(ctx context.Context, run string) (scheduler.Row, bool, error) {
	if err := m.fault(); err != nil {
		return scheduler.Row{}, false, err
	}
	return m.Journal.Find(ctx, run)
}

func (m moody) DeadLetters(ctx context.Context, limit int) ([]scheduler.Row, error) {
	if err := m.fault(); err != nil {
		return nil, err
	}
	return m.Journal.DeadLetters(ctx, limit)
}

func (m moody) Acknowledge(ctx context.Context, run, by string) (bool, error) {
	if err := m.fault(); err != nil {
		return false, err
	}
	return m.Journal.Acknowledge(ctx, run, by)
}

func (m moody) Deeds(ctx context.Context, limit int) ([]journal.Deed, error) {
	if err := m.fault(); err != nil {
		return nil, err
	}
	return m.Journal.Deeds(ctx, limit)
}

// Read is of the ledger: every job is held.
func (m moody) leases(keys []string) ([]election.Record, error) {
	records := make([]election.Record, len(keys))
	for i, key := range keys {
		records[i] = election.Record{Key: key, State: election.StateRunning, Holder: "a", Token: 41, Remaining: 10 * time.Second, Now: now}
	}
	return records, m.fault()
}

// vault is the leases of moody.
type vault struct{ moody }

func (v vault) Read(_ context.Context, keys []string) ([]election.Record, error) {
	return v.leases(keys)
}

func (v vault) Revoke(_ context.Context, key string, token int64, _, _ string) (election.Record, error) {
	return election.Record{Key: key, State: election.StateRevoked, Token: token + 1, Now: now}, v.fault()
}

func (v vault) Replicas(context.Context) ([]journal.Replica, error) {
	return []journal.Replica{{ID: "a", Revision: "1"}, {ID: "b", Revision: "2", Offset: -time.Second, Draining: true}}, v.fault()
}

// deadRun and oldRun are what the journal of everything knows.
const (
	deadRun = "report.20261128T013000Z"
	oldRun  = "report.20261127T013000Z"
	bareRun = "bare.20261127T013000Z" // dead, and not to be run again
)

// world of one replica that can do everything, with a switch for its store.
func everythingWith(t *testing.T, away *atomic.Bool) admin.Deps {
	t.Helper()
	j := memjournal.New(nil)
	row := scheduler.Row{
		ID: deadRun, Job: "report", Tick: now.AddDate(0, 0, -1), Cause: scheduler.BySchedule, State: scheduler.RunEnded, Verdict: scheduler.Failed,
		Attempt: 1, Token: 1, Replica: "a", Started: now.AddDate(0, 0, -1), Ended: now.AddDate(0, 0, -1).Add(time.Second),
	}
	old := row
	old.ID, old.Tick, old.Verdict = oldRun, now.AddDate(0, 0, -2), scheduler.Succeeded
	bare := old
	bare.ID, bare.Job, bare.Verdict = bareRun, "bare", scheduler.Failed
	keep := jobs.History{}.WithDefaults()
	if _, err := j.Record(t.Context(), []scheduler.Entry{{Row: row, Keep: keep, Dead: true}, {Row: old, Keep: keep}, {Row: bare, Keep: keep, Dead: true}}); err != nil {
		t.Fatal(err)
	}
	store := vault{moody{j, away}}
	d := deps(puppet{newEngine("report", "busy", "bare", "many", "never", "odd", "over", "still"), away})
	d.Ledger, d.Revoker, d.Crasher = store, store, wreck{}
	d.Memory = &admin.Memory{Journal: store, Output: &script{}, Members: store, Feed: journal.NewFeed(memjournal.NewBatches(), "a")}
	d.Current = func() *admin.Loaded { return &admin.Loaded{Revision: "1", Namespace: "test", Jobs: 7} }
	d.Versions = shelved(t)
	d.About = func(job string) (admin.Origin, bool) {
		return admin.Origin{Source: admin.Source{File: "jobs.yaml", Line: 12}, Description: "sums up", Runbook: "wiki/" + job}, job != "busy"
	}
	d.Store = func() admin.Store { return admin.Store{Answers: !away.Load(), Breaker: "closed"} }
	d.Validate = func(name string, text []byte) (*config.Config, []admin.Problem) {
		if strings.Contains(string(text), "schdule") {
			return nil, []admin.Problem{{File: name, Line: 3, Col: 5, Path: "jobs[report]", Message: "schdule is unknown: did you mean schedule?"}}
		}
		cfg, err := config.Parse(name, text, jobs.Kinds(nil))
		if err != nil {
			return nil, []admin.Problem{{File: name, Message: err.Error()}}
		}
		return cfg, nil
	}
	d.Schema = func() ([]byte, error) { return []byte(`{"type":"object"}`), nil }
	d.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") })
	d.Ready = func() error {
		if away.Load() {
			return errAway
		}
		return nil
	}
	d.Now, d.Version = func() time.Time { return now }, "v1"
	return d
}

func everything(t *testing.T) admin.Deps {
	t.Helper()
	return everythingWith(t, new(atomic.Bool))
}

// fetch asks for a path and returns the answer as it is.
func fetch(t *testing.T, h http.Handler, path string) (int, []byte) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+path, nil))
	return w.Code, w.Body.Bytes()
}

// plainly sends one request and returns the answer, whatever it is.
func plainly(t *testing.T, h http.Handler, method, target, body string, header ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost"+target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// tokenOf is the page token of a place.
func tokenOf(place string) string { return base64.RawURLEncoding.EncodeToString([]byte(place)) }
