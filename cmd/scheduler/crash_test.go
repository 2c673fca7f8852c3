package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// asked sends one request to dev and returns the status and the answer.
func asked(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, text.String()
}

func TestACrashedReplicaOfDevIsSucceededAndItsRunTakenOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "jobs.yaml"), `
lease: { ttl: 6s, renewEvery: 2s, tryTimeout: 500ms, stopGrace: 500ms, slack: 200ms, lockDelay: 500ms }
jobs:
  - { name: long, schedule: "@every 2s", shell: "sleep 60", onHolderLost: rerun }
`)
	p := start(t, dir, nil, "dev", "jobs.yaml", "--listen", "127.0.0.1:0")
	var url string
	until(t, time.Minute, "dev says where its page is, first of all", func() bool {
		m := regexp.MustCompile(`^page  (http://127\.0\.0\.1:\d+)/\n`).FindStringSubmatch(p.stdout.String())
		if m != nil {
			url = m[1] + "/api/v1"
		}
		return m != nil
	})

	first := holder(t, url, "")
	if code, text := asked(t, http.MethodPost, url+"/replicas/"+first+"/crash", `{"reason": "to see"}`); code != http.StatusAccepted {
		t.Fatalf("crash: got %d %s", code, text)
	}
	if code, text := asked(t, http.MethodPost, url+"/replicas/"+first+"/crash", ""); code != http.StatusNotFound {
		t.Errorf("the same once more: got %d %s", code, text)
	}
	if second := holder(t, url, first); second == first {
		t.Errorf("holder: got %s still", second)
	}
	until(t, time.Minute, "another comes in its place", func() bool {
		_, text := asked(t, http.MethodGet, url+"/replicas", "")
		return strings.Contains(text, `"id":"`+first+`2"`) && !strings.Contains(text, `"id":"`+first+`"`)
	})
	if _, text := asked(t, http.MethodGet, url+"/activity", ""); !strings.Contains(text, first+": to see") {
		t.Errorf("activity: got %s", text)
	}
}

// holder waits until the lease of the only job is held by another replica than not.
func holder(t *testing.T, url, not string) (name string) {
	t.Helper()
	until(t, time.Minute, "somebody else holds the lease", func() bool {
		var list struct {
			Items []struct{ Holder, State string }
		}
		code, text := asked(t, http.MethodGet, url+"/leases?held=true", "")
		if code != http.StatusOK || json.Unmarshal([]byte(text), &list) != nil || len(list.Items) != 1 {
			return false
		}
		name = list.Items[0].Holder
		return list.Items[0].State == "running" && name != not
	})
	return name
}
