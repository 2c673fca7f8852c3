package admin_test

import (
	"context"
	"net/http"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
)

// revoker takes leases of a store in memory away.
type revoker struct{ store *memlease.Store }

func (r revoker) Revoke(ctx context.Context, key string, token int64, by, reason string) (election.Record, error) {
	return r.store.Revoke(ctx, election.Revocation{Key: key, Token: token, LockDelay: 5 * time.Second, Retention: time.Hour, By: by, Reason: reason})
}

func TestALeaseIsShownAndTakenAwayFromItsHolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asked)
		defer w.stop()
		w.apis["c"] = admin.New(admin.Deps{Engine: w.engine, Ledger: &w.leases, Revoker: revoker{&w.leases}, Ready: w.engine.Ready, Log: discard()})
		run := w.ask("a", "POST", "jobs/long/trigger", "", 202)["id"].(string)
		time.Sleep(2 * time.Second)
		list := items(w.ask("c", "GET", "leases?held=true", "", 200))
		if len(list) != 1 {
			t.Fatalf("held: got %v, want one", list)
		}
		lease := list[0]
		is(t, lease, map[string]any{"job": "long", "state": "running", "held": true, "holder": w.run(run)["replica"]})
		token := int64(lease["token"].(float64))
		expires, err := time.Parse(time.RFC3339Nano, lease["expires"].(string))
		left := time.Until(expires)
		if err != nil || left <= 0 || left > 30*time.Second {
			t.Errorf("expires: got %v, %v from now", lease["expires"], left)
		}
		if got := items(w.ask("c", "GET", "leases", "", 200)); len(got) != 3 {
			t.Errorf("all: got %d, want 3", len(got))
		}
		body := func(job string, token int64) string {
			return `{"reason": "stuck", "confirmJob": "` + job + `", "token": ` + itoa(token) + `}`
		}
		w.ask("c", "POST", "leases/long/release", body("quick", token), 422)
		w.ask("c", "POST", "leases/long/release", `{"confirmJob": "long", "token": 1}`, 422)
		w.ask("c", "POST", "leases/nope/release", body("nope", token), 404)
		is(t, w.ask("c", "POST", "leases/long/release", body("long", token-1), 409), map[string]any{"type": "urn:solocron:problem:lease-moved", "held": true})
		is(t, w.ask("c", "POST", "leases/quick/release", body("quick", token), 409), map[string]any{"held": false})
		is(t, w.ask("c", "POST", "leases/long/release", body("long", token), 200), map[string]any{"state": "revoked", "held": false})
		time.Sleep(15 * time.Second) // by its next renewal the holder knows
		is(t, w.run(run), map[string]any{"state": "ended", "verdict": "lost"})
	})
}

// saying is a feed that remembers what was said.
type saying struct {
	*journal.Feed
	said []journal.Happening
}

func (s *saying) Say(h journal.Happening) { s.said = append(s.said, h) }

func TestALeaseThatIsTakenAwayIsToldToWhoeverListens(t *testing.T) {
	t.Parallel()
	d := everything(t)
	feed := &saying{Feed: journal.NewFeed(memjournal.NewBatches(), "a")}
	d.Memory.Feed = feed
	h := admin.New(d)
	call(t, h, http.MethodPost, "/api/v1/leases/report/release", `{"reason": "stuck", "confirmJob": "report", "token": 40}`)
	if len(feed.said) != 0 {
		t.Errorf("a lease that was not taken away: got %v", feed.said)
	}
	call(t, h, http.MethodPost, "/api/v1/leases/report/release", `{"reason": "stuck", "confirmJob": "report", "token": 41}`)
	want := journal.Happening{Topic: journal.AboutLease, Phase: "revoked", Job: "report", Token: 41, By: "api", Note: "stuck"}
	if len(feed.said) != 1 || !reflect.DeepEqual(feed.said[0], want) {
		t.Errorf("got %+v, want %+v", feed.said, want)
	}
}
