package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solocron/solocron/scheduler"
)

// journalMetrics is what is counted of a journal.
type journalMetrics struct {
	durations *prometheus.HistogramVec
	errors    *prometheus.CounterVec
}

func newJournalMetrics(c *catalogue) *journalMetrics {
	m := &journalMetrics{
		durations: c.histograms(Info{
			Name:    "solocron_journal_operation_duration_seconds",
			Help:    "Time one call to the journal took.",
			Labels:  []string{"op"},
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
			Upon:    "the first call of the kind, if the journal is measured",
		}),
		errors: c.counters(Info{
			Name: "solocron_journal_errors_total", Help: "Calls to the journal that failed, by what was the matter.", Labels: []string{"class"},
		}),
	}
	for _, class := range classes() {
		m.errors.WithLabelValues(class)
	}
	return m
}

// WrapJournal returns j with its calls measured.
func (m *Metrics) WrapJournal(j scheduler.Journal) scheduler.Journal {
	return &measuredJournal{j, m.journal}
}

// measuredJournal is a Journal that counts what passes through it.
type measuredJournal struct {
	next scheduler.Journal
	m    *journalMetrics
}

// called notes a call that began then and ended now with *err.
func (m *journalMetrics) called(op string, began time.Time, err *error) {
	m.durations.WithLabelValues(op).Observe(time.Since(began).Seconds())
	if *err != nil {
		m.errors.WithLabelValues(classOf(*err)).Inc()
	}
}

func (j *measuredJournal) Put(ctx context.Context, requests []scheduler.Request) (fresh []bool, err error) {
	defer j.m.called("put", time.Now(), &err)
	return j.next.Put(ctx, requests)
}

func (j *measuredJournal) Poll(ctx context.Context, limit int) (in scheduler.Inbox, err error) {
	defer j.m.called("poll", time.Now(), &err)
	return j.next.Poll(ctx, limit)
}

func (j *measuredJournal) Begin(ctx context.Context, begins []scheduler.Begin) (answers []scheduler.Beginning, err error) {
	defer j.m.called("begin", time.Now(), &err)
	return j.next.Begin(ctx, begins)
}

func (j *measuredJournal) PutBack(ctx context.Context, begins []scheduler.Begin, pause time.Duration) (err error) {
	defer j.m.called("put_back", time.Now(), &err)
	return j.next.PutBack(ctx, begins, pause)
}

func (j *measuredJournal) Withdraw(ctx context.Context, id string) (q scheduler.Request, ok bool, err error) {
	defer j.m.called("withdraw", time.Now(), &err)
	return j.next.Withdraw(ctx, id)
}

func (j *measuredJournal) Settle(ctx context.Context, ids []string) (err error) {
	defer j.m.called("settle", time.Now(), &err)
	return j.next.Settle(ctx, ids)
}

func (j *measuredJournal) Stop(ctx context.Context, stop scheduler.Stop) (err error) {
	defer j.m.called("stop", time.Now(), &err)
	return j.next.Stop(ctx, stop)
}

func (j *measuredJournal) Record(ctx context.Context, entries []scheduler.Entry) (answers []scheduler.Recorded, err error) {
	defer j.m.called("record", time.Now(), &err)
	return j.next.Record(ctx, entries)
}

func (j *measuredJournal) Open(ctx context.Context) (rows []scheduler.Row, err error) {
	defer j.m.called("open", time.Now(), &err)
	return j.next.Open(ctx)
}

func (j *measuredJournal) Past(ctx context.Context, job string, q scheduler.Query) (rows []scheduler.Row, err error) {
	defer j.m.called("past", time.Now(), &err)
	return j.next.Past(ctx, job, q)
}

func (j *measuredJournal) Find(ctx context.Context, run string) (row scheduler.Row, ok bool, err error) {
	defer j.m.called("find", time.Now(), &err)
	return j.next.Find(ctx, run)
}

func (j *measuredJournal) Adopt(ctx context.Context, defs []scheduler.Definition) (answers []scheduler.Adopted, err error) {
	defer j.m.called("adopt", time.Now(), &err)
	return j.next.Adopt(ctx, defs)
}

func (j *measuredJournal) Told(ctx context.Context, jobs []string) (times []time.Time, err error) {
	defer j.m.called("told", time.Now(), &err)
	return j.next.Told(ctx, jobs)
}

func (j *measuredJournal) SaveCheckpoint(ctx context.Context, job string, token int64, data []byte) (err error) {
	defer j.m.called("save_checkpoint", time.Now(), &err)
	return j.next.SaveCheckpoint(ctx, job, token, data)
}

func (j *measuredJournal) Checkpoint(ctx context.Context, job string) (data []byte, token int64, err error) {
	defer j.m.called("checkpoint", time.Now(), &err)
	return j.next.Checkpoint(ctx, job)
}
