package daemon

import (
	"fmt"
	"log/slog"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/breaker"
	"github.com/solocron/solocron/telemetry"
)

// guard puts a circuit breaker in front of what is measured of store: calls that
// it does not send are no calls.
func guard(store election.Store, m *telemetry.Metrics, log *slog.Logger) *breaker.Store {
	if m != nil {
		store = m.WrapStore(store)
	}
	return breaker.New(store, breaker.Config{Changed: func(from, to breaker.State) {
		if m != nil {
			m.BreakerChanged(from, to)
		}
		switch {
		case from == breaker.Closed:
			log.Warn("circuit breaker open: the lease store gives no answer; claims wait, leases in hand are still renewed")
		case to == breaker.Closed:
			log.Info("circuit breaker closed: the lease store answers")
		}
	}})
}

// broken is why a replica with a breaker in state s is not ready; nil if it is.
func broken(s breaker.State) error {
	if s == breaker.Closed {
		return nil
	}
	return fmt.Errorf("lease store: circuit breaker %s: claims are not sent", s)
}

// changing is a store that notices when it is not the one it was.
type changing interface {
	OnChange(changed func(what string))
}

// reverifyOnChange has every lease in hand renewed at once when the store is found
// to be another server, or one that was restarted: what that knows may be old.
func reverifyOnChange(store Store, elector *election.Elector, m *telemetry.Metrics, log *slog.Logger) {
	c, ok := store.(changing)
	if !ok {
		return
	}
	c.OnChange(func(what string) {
		log.Warn("the lease store is not the one it was; every lease in hand is renewed now", "change", what)
		if m != nil {
			m.StoreChanged()
		}
		elector.Reverify()
	})
}
