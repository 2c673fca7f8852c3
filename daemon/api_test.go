package daemon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/jobs"
)

func TestTheAPITellsWhatTheReplicaHasLoadedAndChecksOtherTexts(t *testing.T) {
	t.Parallel()
	cfg := configured(t, "@every 1h", nothing)
	cfg.Admin.Listen, cfg.Revision, cfg.Namespace = "127.0.0.1:0", "0123456789ab", "test"
	with := deps(new(store))
	with.Kinds = jobs.Kinds(nil)
	d := assemble(t, cfg, with)
	stop := launch(t, d)
	defer stop() //nolint:errcheck // the verdict is below

	code, body := get(t, d.Addr(), "/api/v1/config")
	var got admin.Config
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != 200 {
		t.Fatalf("config: got %d %s, %v", code, body, err)
	}
	if l := got.Loaded; l == nil || l.Revision != "0123456789ab" || l.Namespace != "test" || l.Jobs != 1 || l.At.IsZero() {
		t.Errorf("loaded: got %+v", got.Loaded)
	}
	if code, body := get(t, d.Addr(), "/api/v1/schema.json"); code != 200 || !strings.Contains(body, `"schedule"`) {
		t.Errorf("schema: got %d %.200s", code, body)
	}
	res, err := http.Post("http://"+d.Addr()+"/api/v1/config/validate?name=jobs.yaml", "application/yaml", strings.NewReader("jobs:\n  - name: x\n    schdule: '@hourly'\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var checked admin.Checked
	if err := json.NewDecoder(res.Body).Decode(&checked); err != nil {
		t.Fatal(err)
	}
	if len(checked.Problems) == 0 || checked.Valid || checked.Problems[0].File != "jobs.yaml" || checked.Problems[0].Line == 0 {
		t.Errorf("validate: got %+v", checked)
	}
	found := false
	for _, p := range checked.Problems {
		found = found || p.Line == 3 && strings.Contains(p.Message, "schedule")
	}
	if !found {
		t.Errorf("the misspelt field is not named: %+v", checked.Problems)
	}
}

func TestTheAPITakesALeaseAwayInTheStoreOfTheReplica(t *testing.T) {
	t.Parallel()
	cfg := configured(t, "@every 1h", func(ctx context.Context, _ jobs.Run) error {
		<-ctx.Done()
		return ctx.Err()
	})
	cfg.Admin.Listen, cfg.Lease.LockDelay, cfg.ShutdownGrace = "127.0.0.1:0", time.Minute, 100*time.Millisecond
	d := assemble(t, cfg, deps(new(store)))
	stop := launch(t, d)
	defer stop() //nolint:errcheck // its run may have been stopped
	within(t, "a run", func() bool {
		res, err := http.Post("http://"+d.Addr()+"/api/v1/jobs/job/trigger", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		return res.StatusCode == http.StatusAccepted
	})
	_, body := get(t, d.Addr(), "/api/v1/leases?held=true")
	var list admin.Leases
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Items) != 1 {
		t.Fatalf("held: got %s, %v", body, err)
	}
	wish := fmt.Sprintf(`{"reason": "stuck", "confirmJob": "job", "token": %d}`, list.Items[0].Token)
	res, err := http.Post("http://"+d.Addr()+"/api/v1/leases/job/release", "application/json", strings.NewReader(wish))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var l admin.Lease
	if err := json.NewDecoder(res.Body).Decode(&l); err != nil || res.StatusCode != 200 {
		t.Fatalf("release: got %d, %v", res.StatusCode, err)
	}
	if l.State != "revoked" || l.Held || l.RemainingSeconds <= 60 {
		t.Errorf("got %+v, want a lease that is revoked and closed for the rest of its term and a minute", l)
	}
}
