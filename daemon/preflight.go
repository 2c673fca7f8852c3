package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election/redislease/preflight"
)

// preflightTime is what a preflight gets, whatever the store does.
const preflightTime = 15 * time.Second

// Inspector is a store that can be looked at closely.
type Inspector interface {
	// Preflight looks at everything that could weaken a lease. MaxOffset is what a
	// replica bears of a clock.
	Preflight(ctx context.Context, maxOffset time.Duration) []preflight.Row
}

// Preflight looks at what a replica with cfg would stand on: its store, and this
// process. It takes at most some seconds longer than the store.
func Preflight(ctx context.Context, cfg *config.Config, store Inspector) []preflight.Row {
	ctx, cancel := context.WithTimeout(ctx, preflightTime)
	defer cancel()
	return append(store.Preflight(ctx, cfg.Clock.MaxOffset), host(cfg)...)
}

// host looks at this process.
func host(cfg *config.Config) []preflight.Row {
	return []preflight.Row{zones(), files(len(cfg.Jobs)), termination(cfg.Shutdown())}
}

// termination judges whether the process can end before it is killed. What does
// not fit is refused when the configuration is loaded.
func termination(s config.Shutdown) preflight.Row {
	const check = "termination"
	switch {
	case s.Killed == 0:
		return preflight.Row{
			Check: check, State: preflight.Unknown, Found: s.String() + "; when the process is killed is not known",
			Fix: fmt.Sprintf("set terminationGracePeriod to what the pod says, at least %s", s.Needs()),
		}
	case !s.Fits():
		return preflight.Row{
			Check: check, State: preflight.Fail, Found: fmt.Sprintf("%s, but the process is killed after %s", s, s.Killed),
			Fix: fmt.Sprintf("raise terminationGracePeriod to %s, there and in the pod", s.Needs()),
		}
	}
	return preflight.Row{Check: check, State: preflight.OK, Found: fmt.Sprintf("%s of %s", s, s.Killed)}
}

// inspector returns what logs, a line for each row that is not good, what a
// preflight has found. A store that cannot be looked at is not.
func inspector(cfg *config.Config, store Store, log *slog.Logger) func(context.Context) {
	s, ok := store.(Inspector)
	if !ok {
		return func(context.Context) {}
	}
	return func(ctx context.Context) {
		for _, r := range Preflight(ctx, cfg, s) {
			if ctx.Err() != nil {
				return // what was cut short says nothing
			}
			if r.State != preflight.OK {
				log.Warn("preflight", "check", r.Check, "state", string(r.State), "found", r.Found, "fix", r.Fix)
			}
		}
	}
}
