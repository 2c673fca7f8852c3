package admin_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/scheduler"
)

func TestAListOfJobsHasWhatAPageShowsOfEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(s *scheduler.Scheduler) error { return errors.Join(mixed(s), asked(s)) })
		defer w.stop()
		w.ask("a", "POST", "jobs/long/trigger?wait=60s", "", 202)
		time.Sleep(65 * time.Minute)
		by := map[string]map[string]any{}
		for _, j := range items(w.ask("b", "GET", "jobs", "", 200)) {
			by[j["name"].(string)] = j
		}
		is(t, by["bad"], map[string]any{"failedInARow": 3.0, "medianSeconds": nil, "runningOn": nil})
		is(t, by["good"], map[string]any{"failedInARow": 0.0})
		is(t, by["long"], map[string]any{"medianSeconds": 60.0})
		next := by["good"]["nextRuns"].([]any)
		if len(next) != 1 {
			t.Fatalf("next runs: got %v", next)
		}
		is(t, next[0].(map[string]any), map[string]any{"time": "2000-01-01T01:15:00Z", "runs": true})
		if none := by["still"]["nextRuns"].([]any); len(none) != 0 {
			t.Errorf("of one that is suspended: got %v", none)
		}
		is(t, by["busy"], map[string]any{"runningOn": w.run("busy.20000101T010000Z")["replica"]})
		strip := cluster(t, w.apis["a"])["strip"].(map[string]any)
		is(t, strip, map[string]any{"replicasReady": 2.0, "replicasTotal": 2.0, "storeAnswers": true, "inSync": true, "leasesHeld": 1.0, "maxOffsetSeconds": 0.0})
		if _, ok := strip["storeSeconds"].(float64); !ok {
			t.Errorf("the store's last answer took %v", strip["storeSeconds"])
		}
	})
}
