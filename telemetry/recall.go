package telemetry

import (
	"context"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// recallTry is how long reading one job's last runs may take.
const recallTry = 3 * time.Second

// recall reads from the journal when each job last succeeded and failed. An error
// says that it was not read for all of them.
func (m *Metrics) recall(ctx context.Context, past func(context.Context, string, scheduler.Query) ([]scheduler.Row, error)) error {
	var failed error
	m.roster.jobs.Range(func(_, value any) bool {
		s := value.(*series)
		if s.job == OtherJobs {
			return true
		}
		failed = s.recall(ctx, past)
		return failed == nil
	})
	return failed
}

// recall reads the last run of each sort. One that ended otherwise is remembered if
// it failed: a cancelled one hides a failure before it, which is seldom.
func (s *series) recall(ctx context.Context, past func(context.Context, string, scheduler.Query) ([]scheduler.Row, error)) error {
	if s.good.Load() != 0 && s.bad.Load() != 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, recallTry)
	defer cancel()
	for _, sort := range []scheduler.RowSort{scheduler.GoodRuns, scheduler.OtherRuns} {
		rows, err := past(ctx, s.job, scheduler.Query{Sort: sort, Limit: 1})
		if err != nil {
			return err
		}
		for i := range rows {
			s.remember(rows[i].Verdict, rows[i].Ended)
		}
	}
	return nil
}
