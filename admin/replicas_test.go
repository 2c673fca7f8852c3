package admin_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/journal"
)

// roll is the live replicas, as a test says them.
type roll []journal.Replica

func (r roll) Replicas(context.Context) ([]journal.Replica, error) { return r, nil }

func TestReplicasWithDifferentConfigurationsAreDrift(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		live roll
		want map[string]int
	}{
		"all the same":      {roll{{ID: "a", Revision: "1"}, {ID: "b", Revision: "1"}}, map[string]int{"1": 2}},
		"one left behind":   {roll{{ID: "a", Revision: "2"}, {ID: "b", Revision: "1"}, {ID: "c", Revision: "2"}}, map[string]int{"2": 2, "1": 1}},
		"one does not tell": {roll{{ID: "a", Revision: "1"}, {ID: "b"}}, map[string]int{"1": 1}},
		"nobody":            {roll{}, map[string]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := admin.Deps{Engine: newEngine(), Ready: func() error { return nil }, Memory: &admin.Memory{Members: c.live}}
			w := httptest.NewRecorder()
			r := httptest.NewRequest("GET", "/api/v1/replicas", nil)
			r.Host = "127.0.0.1"
			admin.New(d).ServeHTTP(w, r)
			var got struct {
				Items     []admin.Replica
				Revisions map[string]int
				Drift     bool
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%v: %d %s", err, w.Code, w.Body)
			}
			if len(got.Items) != len(c.live) || !reflect.DeepEqual(got.Revisions, c.want) || got.Drift != (len(c.want) > 1) {
				t.Errorf("got %+v, want revisions %v", got, c.want)
			}
		})
	}
}

func TestTheOffsetOfEachReplicasClockIsShown(t *testing.T) {
	t.Parallel()
	d := admin.Deps{
		Engine: newEngine(), Ready: func() error { return nil },
		Memory: &admin.Memory{Members: roll{{ID: "a", Offset: -1500 * time.Millisecond}}},
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/api/v1/replicas", nil)
	r.Host = "127.0.0.1"
	admin.New(d).ServeHTTP(w, r)
	var got struct{ Items []admin.Replica }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Items) != 1 || got.Items[0].ClockOffset != "-1.5s" {
		t.Errorf("got %v, %d %s, want -1.5s", err, w.Code, w.Body)
	}
}
