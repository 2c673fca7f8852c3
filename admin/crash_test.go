package admin_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/solocron/solocron/admin"
)

// wreck is a trial cluster of a, and of last, which is alone in another.
type wreck struct{ cuts *atomic.Int32 }

func (w wreck) Crash(replica string) (func(), error) {
	switch replica {
	case "a":
		return func() {
			if w.cuts != nil {
				w.cuts.Add(1)
			}
		}, nil
	case "last":
		return nil, admin.ErrLastReplica
	}
	return nil, admin.ErrNoReplica
}

func TestACrashIsNotedAndThenHappens(t *testing.T) {
	t.Parallel()
	cuts := new(atomic.Int32)
	d := everything(t)
	d.Crasher = wreck{cuts}
	h := admin.New(d)
	if code, text := plainly(t, h, http.MethodPost, "/api/v1/replicas/a/crash", `{"reason": "to see"}`); code != http.StatusAccepted || !strings.Contains(text, `"replica":"a"`) {
		t.Fatalf("got %d %s", code, text)
	}
	if got := cuts.Load(); got != 1 {
		t.Errorf("replicas cut off: got %d, want 1", got)
	}
	if _, text := fetch(t, h, "/api/v1/activity"); !strings.Contains(string(text), `"what":"crash"`) || !strings.Contains(string(text), "a: to see") {
		t.Errorf("activity: got %s", text)
	}
}

func TestWhatIsNoTrialHasNoCrash(t *testing.T) {
	t.Parallel()
	d := everything(t)
	for _, trial := range []bool{true, false} {
		if !trial {
			d.Crasher = nil
		}
		h := admin.New(d)
		var cluster struct{ Dev bool }
		_, text := fetch(t, h, "/api/v1/cluster")
		if err := json.Unmarshal(text, &cluster); err != nil || cluster.Dev != trial {
			t.Errorf("trial %t: dev is %t (%v)", trial, cluster.Dev, err)
		}
		if code, _ := plainly(t, h, http.MethodPost, "/api/v1/replicas/a/crash", ""); (code == http.StatusNotFound) == trial {
			t.Errorf("trial %t: got %d", trial, code)
		}
	}
}
