package etcdtest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solocron/solocron/internal/etcdtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func answers(ctx context.Context, m *etcdtest.Member, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.Endpoint+"/health", http.NoBody)
	if err != nil {
		return err
	}
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func TestAPausedMemberIsSilentAndAResumedOneAnswers(t *testing.T) {
	t.Parallel()
	c := etcdtest.Start(t, 1)
	m := c.Members[0]
	if err := m.Pause(); err != nil {
		t.Fatal(err)
	}
	if err := answers(t.Context(), m, 200*time.Millisecond); err == nil {
		t.Error("a paused member answered")
	}
	if err := m.Resume(); err != nil {
		t.Fatal(err)
	}
	if err := answers(t.Context(), m, 5*time.Second); err != nil {
		t.Errorf("after Resume: %v", err)
	}
}

func TestAClusterElectsAnotherLeaderWhenItsLeaderIsKilled(t *testing.T) {
	t.Parallel()
	c := etcdtest.Start(t, 3)
	if got := strings.Join(c.Endpoints(), " "); strings.Count(got, "http://127.0.0.1:") != 3 {
		t.Fatalf("got endpoints %q, want three on loopback", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	first, err := c.Leader(ctx)
	if err != nil {
		t.Fatal(err)
	}
	first.Stop()
	for {
		next, err := c.Leader(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if next != first {
			return
		}
	}
}
