package cli

import (
	"context"
	"crypto/rand"
	"math/big"
	"net/http"
	"time"
)

const (
	maxTries   = 3
	firstPause = 200 * time.Millisecond // doubled each time, half of it by chance
)

// NewKey makes an idempotency key. A command makes one and uses it for all its tries.
func NewKey() string { return "cli-" + rand.Text() }

// again says whether a request that ended with err is to be sent once more, and after
// how long. Only what the server does at most once, or what reads, may be.
func (call *Call) again(err error, try int) (pause time.Duration, yes bool) {
	if err == nil || try >= maxTries || call.Method != http.MethodGet && call.Key == "" && !call.Again {
		return 0, false
	}
	if code, _ := CodeOf(err); code != Unreachable {
		return 0, false
	}
	pause = firstPause << (try - 1)
	pause = pause/2 + chance(pause/2)
	if p, ok := err.(*ProblemError); ok { //nolint:errorlint // it is never wrapped here
		if p.Status == http.StatusTooManyRequests { // trying bad tokens again makes it worse
			return 0, false
		}
		pause = max(pause, p.Retry)
	}
	return pause, true
}

// chance is a length of time below d.
func chance(d time.Duration) time.Duration {
	n, err := rand.Int(rand.Reader, big.NewInt(max(1, int64(d))))
	if err != nil {
		return d
	}
	return time.Duration(n.Int64())
}

// sleep waits, unless ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
