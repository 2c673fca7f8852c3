package matrix_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election/leasetest"
)

const (
	atOnce = 3 // rows that run side by side: each waits for most of its time

	// leisure makes the contract measure in two seconds instead of one: with so many
	// servers on one machine an answer may take its time.
	leisure = 400 * time.Millisecond
)

func TestTheMatrixOfStoresThatKeepTheContract(t *testing.T) {
	t.Parallel()
	all := rows()
	results := make([]string, len(all))
	free := make(chan struct{}, atOnce)
	t.Run("store", func(t *testing.T) {
		for i, r := range all {
			results[i] = fmt.Sprintf("  %-24s not run", r.name)
			t.Run(r.name, func(t *testing.T) {
				if r.clock == leasetest.Wall { // the others only reckon, and would take the time of these
					t.Parallel()
					free <- struct{}{}
					defer func() { <-free }()
				}
				results[i] = r.result(t)
			})
		}
	})
	t.Logf("the contract of a lease store, %d checks:\n%s", len(leasetest.Checks()), strings.Join(results, "\n"))
}

// result runs the contract and says how it went.
func (r row) result(t *testing.T) string {
	began := time.Now()
	open := r.prepare(t)
	leasetest.Run(t, r.clock, func(t *testing.T) leasetest.Subject {
		s := open(t)
		if r.clock == leasetest.Wall {
			s.Grain = max(s.Grain, leisure)
		}
		return s
	})
	verdict := "passed"
	if t.Failed() {
		verdict = "FAILED"
	}
	return fmt.Sprintf("  %-24s %s %6.1f s", r.name, verdict, time.Since(began).Seconds())
}
