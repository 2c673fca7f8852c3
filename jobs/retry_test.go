package jobs_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/jobs"
)

func TestThePauseGrowsUpToItsLimitAndIsSpreadByItsJitter(t *testing.T) {
	t.Parallel()
	steady := jobs.Retry{InitialInterval: time.Second, BackoffCoefficient: 3, MaxInterval: 20 * time.Second}
	spread := steady
	spread.Jitter = 0.5
	for _, c := range []struct {
		what    string
		retry   jobs.Retry
		attempt int
		jitter  float64
		want    time.Duration
	}{
		{"first", steady, 1, 0.9, time.Second},
		{"second", steady, 2, 0.1, 3 * time.Second},
		{"third", steady, 3, 0.1, 9 * time.Second},
		{"at the limit", steady, 4, 0, 20 * time.Second},
		{"far beyond the limit", steady, 1_000_000, 0, 20 * time.Second},
		{"attempt zero is the first", steady, 0, 0, time.Second},
		{"shortest", spread, 2, 0, 1500 * time.Millisecond},
		{"middle", spread, 2, 0.5, 3 * time.Second},
		{"long", spread, 2, 0.75, 3750 * time.Millisecond},
		{"limit is spread too", spread, 9, 0.75, 25 * time.Second},
		{"defaults, first", jobs.Retry{}, 1, 0, 10 * time.Second},
		{"defaults, third", jobs.Retry{}, 3, 0, 40 * time.Second},
		{"defaults, limit", jobs.Retry{}, 40, 0, 5 * time.Minute},
		{"a first wait above the default limit", jobs.Retry{InitialInterval: time.Hour}, 2, 0, time.Hour},
		{"constant", jobs.Retry{InitialInterval: time.Second, BackoffCoefficient: 1}, 50, 0, time.Second},
	} {
		if got := c.retry.Pause(c.attempt, c.jitter); got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}

func TestAnyPauseIsWithinTheSpreadOfItsLimits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := time.Duration(rapid.Int64Range(int64(100*time.Millisecond), int64(24*time.Hour)).Draw(t, "first"))
		r := jobs.Retry{
			InitialInterval:    first,
			BackoffCoefficient: rapid.Float64Range(1, 10).Draw(t, "coefficient"),
			MaxInterval:        first + time.Duration(rapid.Int64Range(0, int64(366*24*time.Hour)-int64(first)).Draw(t, "more")),
			Jitter:             rapid.Float64Range(0, 1).Draw(t, "jitter"),
		}
		where := rapid.Float64Range(0, 0.999).Draw(t, "where")
		got := r.Pause(rapid.IntRange(1, 100).Draw(t, "attempt"), where)
		least := float64(r.InitialInterval) * (1 - r.Jitter)
		most := float64(r.MaxInterval) * (1 + r.Jitter)
		if float64(got) < least*0.999-1 || float64(got) > most*1.001+1 {
			t.Fatalf("%+v: got %s", r, got)
		}
	})
}

func TestOnlyWhatMayGoBetterNextTimeIsRetried(t *testing.T) {
	t.Parallel()
	r := jobs.Retry{MaxAttempts: 3, NonRetryableExitCodes: []int{64, 65}}
	failed := errors.New("no route to host")
	for _, c := range []struct {
		what    string
		retry   jobs.Retry
		err     error
		attempt int
		want    bool
	}{
		{"first of three", r, failed, 1, true},
		{"second of three", r, failed, 2, true},
		{"third of three", r, failed, 3, false},
		{"beyond", r, failed, 4, false},
		{"success", r, nil, 1, false},
		{"no retry is asked for", jobs.Retry{}, failed, 1, false},
		{"one attempt", jobs.Retry{MaxAttempts: 1}, failed, 1, false},
		{"another exit code", r, &jobs.ExitError{Code: 1}, 1, true},
		{"an exit code that stays", r, &jobs.ExitError{Code: 65}, 1, false},
		{"the same, wrapped", r, fmt.Errorf("shell: %w", &jobs.ExitError{Code: 64}), 1, false},
		{"ended by a signal", r, &jobs.ExitError{Code: -1}, 1, true},
		{"permanent", r, jobs.Permanent(failed), 1, false},
		{"permanent, wrapped", r, fmt.Errorf("sync: %w", jobs.Permanent(failed)), 1, false},
		{"permanent, one of two", r, errors.Join(failed, jobs.Permanent(failed)), 1, false},
	} {
		if got := c.retry.Again(c.err, c.attempt); got != c.want {
			t.Errorf("%s: got %t, want %t", c.what, got, c.want)
		}
	}
}

func TestAPermanentErrorIsTheErrorItMarks(t *testing.T) {
	t.Parallel()
	cause := errors.New("the file has three columns")
	if err := jobs.Permanent(cause); !errors.Is(err, cause) || err.Error() != cause.Error() {
		t.Errorf("got %v, want what it marks", err)
	}
	if err := jobs.Permanent(nil); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

func TestHistoryFillsInWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	const month = 30 * 24 * time.Hour
	for _, c := range []struct{ given, want jobs.History }{
		{jobs.History{}, jobs.History{Succeeded: 50, Failed: 50, MaxAge: month}},
		{jobs.History{Succeeded: 1}, jobs.History{Succeeded: 1, Failed: 50, MaxAge: month}},
		{jobs.History{Failed: 2, MaxAge: time.Hour}, jobs.History{Succeeded: 50, Failed: 2, MaxAge: time.Hour}},
	} {
		if got := c.given.WithDefaults(); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.given, got, c.want)
		}
	}
}
