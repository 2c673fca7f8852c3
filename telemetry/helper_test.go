package telemetry_test

import (
	"context"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
	"github.com/solocron/solocron/telemetry"
)

// kinds is the kinds of jobs that need no database.
func kinds() []jobs.Kind { return jobs.Kinds(nil) }

// watchOnce has m ask an empty cluster once.
func watchOnce(t *testing.T, m *telemetry.Metrics) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	asked := make(chan struct{}, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.Watch(ctx, telemetry.Sources{
			Queued: func(context.Context, int) ([]scheduler.Request, error) { return nil, nil },
			Ready: func() error { // the rest has been asked before
				select {
				case asked <- struct{}{}:
				default:
				}
				return nil
			},
		})
	}()
	select {
	case <-asked:
	case <-ctx.Done():
		t.Error("nobody asked")
	}
	cancel()
	<-done
}
