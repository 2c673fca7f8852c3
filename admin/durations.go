package admin

import (
	"context"
	"time"

	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry/durations"
)

// maxTimed is how many ends a job's durations are made of: all that its history keeps,
// unless that was made longer.
const maxTimed = 200

// Durations is how long the runs of a job took that are remembered and came to an end
// by themselves or by their timeout.
type Durations struct {
	Runs             int     `json:"runs"`
	P50Seconds       float64 `json:"p50Seconds" doc:"Half of them took no longer."`
	P90Seconds       float64 `json:"p90Seconds"`
	P99Seconds       float64 `json:"p99Seconds"`
	MaxSeconds       float64 `json:"maxSeconds"`
	TimeoutSeconds   float64 `json:"timeoutSeconds" doc:"What one may take now; 0: there is no limit."`
	NearTimeout      float64 `json:"nearTimeout" minimum:"0" maximum:"1" doc:"Share of them that took 0.8 of that or more."`
	TimedOut         float64 `json:"timedOut" minimum:"0" maximum:"1" doc:"Share of them that it ended."`
	SuggestedTimeout string  `json:"suggestedTimeout,omitempty" doc:"One that would suit; left out: fewer than 20 runs."`
}

// durations looks at how long the runs of job took; nil: there are none, or the journal
// does not tell now.
func (a *API) durations(ctx context.Context, job string, timeout time.Duration) *Durations {
	if a.Memory == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	rows, err := a.Memory.Journal.Past(ctx, job, scheduler.Query{Limit: maxTimed})
	if err != nil {
		return nil
	}
	s := durations.Of(rows, timeout)
	if s.Runs == 0 {
		return nil
	}
	d := &Durations{
		Runs: s.Runs, P50Seconds: s.P50.Seconds(), P90Seconds: s.P90.Seconds(), P99Seconds: s.P99.Seconds(), MaxSeconds: s.Max.Seconds(),
		TimeoutSeconds: s.Timeout.Seconds(), NearTimeout: s.NearTimeout, TimedOut: s.TimedOut,
	}
	if s.Suggested > 0 {
		d.SuggestedTimeout = s.Suggested.String()
	}
	return d
}
