package daemon

import (
	"context"
	"slices"
	"sync"

	"github.com/solocron/solocron/config"
)

// alerted is deps with Alerts among those that are told what happens, and what is in
// force after a reload.
func alerted(deps Deps) Deps {
	n := deps.Alerts
	if n == nil {
		return deps
	}
	deps.Observers = append(slices.Clip(deps.Observers), n)
	deps.Reloaded = append(slices.Clip(deps.Reloaded), func(cfg *config.Config) {
		if err := n.Reconfigure(cfg); err != nil && deps.Log != nil {
			deps.Log.Error("notifications are as they were before the reload", "err", err)
		}
	})
	return deps
}

// alert tells people what becomes of jobs until undo runs, which is after the last run
// has ended.
func (d *Daemon) alert(ctx context.Context, undo *teardown) {
	if d.deps.Alerts == nil {
		return
	}
	alerting, stop := context.WithCancel(context.WithoutCancel(ctx))
	var alerter sync.WaitGroup
	alerter.Go(func() { _ = d.deps.Alerts.Run(alerting) }) // always nil
	undo.push("notifications", func(ctx context.Context) error {
		stop()
		return wait(ctx, &alerter)
	})
}
