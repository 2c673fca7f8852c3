package memlease_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/memlease"
)

// TestTheContractNoticesEveryMissingRule runs the suite against stores with one
// rule broken each. A mutant that passes every check means that the suite proves
// less than it says.
func TestTheContractNoticesEveryMissingRule(t *testing.T) {
	t.Parallel()
	for rule, open := range memlease.Mutants() {
		t.Run(rule, func(t *testing.T) {
			caught := ""
			for _, c := range leasetest.Checks() {
				synctest.Test(t, func(t *testing.T) {
					time.Sleep(time.Hour) // away from the year 2000, where ticks begin
					s := open()
					w := &leasetest.World{Ctx: t.Context(), Unit: time.Second}
					w.Store, w.Wipe = s, func() error { s.Forget(); return nil }
					if err := c.Run(w); err != nil {
						caught = c.Name + ": " + err.Error()
					}
				})
				if caught != "" {
					t.Log(caught)
					return
				}
			}
			t.Errorf("a store without the rule %q passes the whole contract", rule)
		})
	}
}
