package admin_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/memjournal"
)

// dam is a connection to a client that stops to read after some bytes.
type dam struct {
	wire
	room     int
	deadline chan time.Time // the latest
}

func newDam(room int) *dam {
	return &dam{wire: wire{header: http.Header{}, status: 200}, room: room, deadline: make(chan time.Time, 1)}
}

func (d *dam) SetReadDeadline(time.Time) error { return nil }

func (d *dam) SetWriteDeadline(t time.Time) error {
	select {
	case <-d.deadline:
	default:
	}
	d.deadline <- t
	return nil
}

func (d *dam) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room >= 0 {
		return d.wire.Write(p)
	}
	for limit := <-d.deadline; time.Now().Before(limit); {
		select {
		case limit = <-d.deadline:
		case <-time.After(time.Until(limit)):
		}
	}
	return 0, os.ErrDeadlineExceeded
}

func TestAClientThatDoesNotReadIsCutOffAndNobodyWaits(t *testing.T) {
	for name, c := range map[string]struct {
		drain  bool
		within time.Duration
	}{
		"while others are told":          {within: 10 * time.Second},
		"and not waited for, at a drain": {drain: true, within: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, asked)
				defer w.stop()
				other := tune(t, w.apis["b"], "?types=job")
				slow, ended := newDam(2000), make(chan struct{})
				go func() {
					defer close(ended)
					w.apis["b"].ServeHTTP(slow, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/api/v1/events", nil))
				}()
				time.Sleep(time.Second)
				for n := range 50 {
					w.feeds["a"].Say(journal.Happening{Topic: journal.AboutJob, Phase: journal.Paused, Note: fmt.Sprint(n)})
					time.Sleep(20 * time.Millisecond)
				}
				begin := time.Now()
				if c.drain {
					w.apis["b"].Drain()
				}
				<-ended
				if took := time.Since(begin); took > c.within {
					t.Errorf("it was waited for %v, want at most %v", took, c.within)
				}
				other.leave()
				events, _ := sses(t, other.String())
				if n := strings.Count(strings.Join(kinds(events), " "), "job"); n != 50 && !c.drain {
					t.Errorf("the other was told %d things, want 50", n)
				}
			})
		})
	}
}

// TestAStreamOverASlowFeedSaysBye has the feed give up first.
func TestAStreamThatTheFeedGivesUpSaysBye(t *testing.T) {
	t.Parallel()
	for err, reason := range map[error]string{journal.ErrFeedSlow: "slow", journal.ErrFeedEnded: "draining"} {
		d := streamed(t, memjournal.NewBatches())
		d.Memory.Feed = ended{d.Memory.Feed, err}
		l := tune(t, admin.New(d), "")
		<-l.ended
		if events, _ := sses(t, l.String()); strings.Join(kinds(events), " ") != "snapshot bye" || events[1].data["reason"] != reason {
			t.Errorf("%v: got %v, want bye because of %s", err, events, reason)
		}
	}
}

// ended is a feed that follows no longer.
type ended struct {
	admin.Feed
	err error
}

func (e ended) Follow(context.Context, journal.Place, func([]journal.Told) error) error { return e.err }

// TestAStreamOverANetwork has one client that reads and one that does not, a server
// with short time-outs, and its shutdown.
func TestAStreamOverANetworkOutlivesTimeOutsAndEndsAtAShutdown(t *testing.T) {
	t.Parallel()
	d := streamed(t, memjournal.NewBatches())
	d.Memory.Feed = flood{d.Memory.Feed}
	server := admin.New(d).Server()
	server.WriteTimeout, server.ReadTimeout = 300*time.Millisecond, 300*time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	stuck, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	if _, err := io.WriteString(stuck, "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + listener.Addr().String() + "/api/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	began, scan := time.Now(), bufio.NewScanner(res.Body)
	for time.Since(began) < 1200*time.Millisecond {
		if !scan.Scan() {
			t.Fatalf("the stream ended after %v: %v", time.Since(began), scan.Err())
		}
	}
	done := make(chan time.Duration, 1)
	go func() {
		begin := time.Now()
		if err := server.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		done <- time.Since(begin)
	}()
	last := ""
	for scan.Scan() {
		if text := scan.Text(); text != "" {
			last = text
		}
	}
	if err := scan.Err(); err != nil || last != `data: {"reason":"draining"}` {
		t.Errorf("at the shutdown: got %v, and at the end %q", err, last)
	}
	if took := <-done; took > 5*time.Second {
		t.Errorf("the shutdown took %v", took)
	}
	serving.Wait()
}

// flood tells without end.
type flood struct{ admin.Feed }

func (f flood) Follow(ctx context.Context, at journal.Place, fn func([]journal.Told) error) error {
	text := []byte(`{"note":"` + strings.Repeat("x", 10_000) + `"}`)
	for ctx.Err() == nil {
		told := make([]journal.Told, 100)
		for i := range told {
			at.Index++
			told[i] = journal.Told{Place: at, Happening: journal.Happening{Topic: journal.AboutRun}, Text: text}
		}
		if err := fn(told); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}
