package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// TestAYearOfAnHourlyJobHasAVerdictForEachTick deploys all three replicas every
// night and has an outage every week, of the stores or of the whole cluster in
// turn. Some runs fail and are tried again, some are cut short by a deploy.
func TestAYearOfAnHourlyJobHasAVerdictForEachTick(t *testing.T) {
	t.Parallel()
	days := 365
	if raceEnabled || testing.Short() {
		days = 28 // the detector makes it several times slower
	}
	synctest.Test(t, func(t *testing.T) {
		v := newVillage(t, 30*time.Second)
		rnd := rand.New(rand.NewPCG(4, 2))
		report := jobs.Job{
			Name: "report", Timeout: 50 * time.Minute,
			Runner: jobs.Func(func(ctx context.Context, r jobs.Run) error {
				wait := time.Duration(r.Token%97) * 20 * time.Second // up to 32 minutes
				select {
				case <-time.After(wait):
				case <-ctx.Done():
					return context.Cause(ctx)
				}
				if r.Token%11 == 0 {
					return errors.New("boom")
				}
				return nil
			}),
			Policies: jobs.Policies{
				Retry:   jobs.Retry{MaxAttempts: 3, InitialInterval: 10 * time.Second},
				History: jobs.History{Succeeded: 10_000, Failed: 10_000, MaxAge: 500 * 24 * time.Hour},
			},
		}
		version := 0
		fresh := func(i int) func() {
			return v.start(fmt.Sprintf("pod-%d-%d", i, version), "0 * * * *", report)
		}
		time.Sleep(30 * time.Minute)
		from := time.Now()
		var stops [3]func()
		for i := range stops {
			stops[i] = fresh(i)
		}
		roll := func() {
			version++
			for i := range stops {
				stops[i]()
				stops[i] = fresh(i)
				time.Sleep(time.Duration(rnd.IntN(120)) * time.Second)
			}
		}
		for day := range days {
			time.Sleep(time.Duration(rnd.IntN(3600)) * time.Second)
			if day%7 == 3 {
				outage(v, &stops, fresh, day%2 == 0)
			}
			roll()
			// to the same hour of the next day
			time.Sleep(time.Until(from.Add(time.Duration(day+1) * 24 * time.Hour)))
		}
		to := time.Now()
		time.Sleep(25 * time.Minute) // for what is still on, and for the janitor
		for _, stop := range stops {
			stop()
		}
		check(t, v, from, to, 24*days)
	})
}

// outage takes the stores away for some hours, or all replicas.
func outage(v *village, stops *[3]func(), fresh func(int) func(), whole bool) {
	if !whole {
		v.down.Store(true)
		time.Sleep(2*time.Hour + 20*time.Minute)
		v.down.Store(false)
		time.Sleep(time.Minute)
		return
	}
	for _, stop := range stops {
		stop()
	}
	time.Sleep(3*time.Hour + 20*time.Minute)
	for i := range stops {
		stops[i] = fresh(i)
	}
}

func check(t *testing.T, v *village, from, to time.Time, want int) {
	t.Helper()
	rows, err := v.journal.Past(context.Background(), "report", scheduler.Query{})
	if err != nil {
		t.Fatal(err)
	}
	seen, verdicts := map[time.Time]int{}, map[string]int{}
	for _, r := range rows {
		if r.More {
			t.Errorf("%s has a row for several ticks", r.ID)
		}
		if r.Tick.After(from) && !r.Tick.After(to) {
			seen[r.Tick]++
			verdicts[string(r.Verdict)+"("+string(r.Reason)+")"]++
		}
	}
	ticks := 0
	for at := from.Truncate(time.Hour).Add(time.Hour); !at.After(to); at = at.Add(time.Hour) {
		ticks++
		if n := seen[at.UTC()]; n != 1 {
			t.Errorf("%s has %d verdicts, want 1", at.UTC().Format(time.RFC3339), n)
		}
	}
	if ticks != want {
		t.Errorf("%d ticks, want %d", ticks, want)
	}
	open, _ := v.journal.Open(context.Background())
	if len(open) > 0 {
		t.Errorf("%d runs are still open: %+v", len(open), open[0])
	}
	t.Logf("%d ticks: %v", ticks, verdicts)
}
