package redisjournal_test

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/journal/journaltest"
	"github.com/solocron/solocron/journal/redisjournal"
	"github.com/solocron/solocron/scheduler"
)

func TestInquiriesKeepTheContractOnMiniredis(t *testing.T) {
	t.Parallel()
	journaltest.RunInquiries(t, true, func(t *testing.T) journaltest.Fleet {
		m := mini(t)
		return func(replica string, seen *journal.Sightings) journal.Inquiry {
			return redisjournal.NewInquiry(client(t, "127.0.0.1:1", m), "solocron", "test", replica, seen)
		}
	})
}

func TestInquiriesKeepTheContractOnRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	var n atomic.Int64
	journaltest.RunInquiries(t, false, func(t *testing.T) journaltest.Fleet {
		namespace := "test-" + strconv.FormatInt(n.Add(1), 10)
		return func(replica string, seen *journal.Sightings) journal.Inquiry {
			return redisjournal.NewInquiry(client(t, server.Addr, nil), "solocron", namespace, replica, seen)
		}
	})
}

func TestReplicasAnswerAgainAfterRedisWasAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mini(t)
		ctx, cancel := context.WithCancel(t.Context())
		seen := journal.NewSightings(0)
		at := time.UnixMilli(1e12)
		seen.Observe(scheduler.Event{Phase: scheduler.Yielded, Tick: scheduler.Tick{Job: "job", At: at}})
		b := redisjournal.NewInquiry(client(t, "127.0.0.1:1", m), "solocron", "test", "b", seen)
		go func() { _ = b.Run(ctx) }()
		a := redisjournal.NewInquiry(client(t, "127.0.0.1:1", m), "solocron", "test", "a", journal.NewSightings(0))
		time.Sleep(time.Second)
		m.SetError("LOADING not now")
		if got, err := a.Ask(ctx, "job", at, []string{"b"}); err == nil || len(got) != 1 {
			t.Errorf("while Redis is away: got %v, %v; want an error and a's own answer", got, err)
		}
		time.Sleep(time.Minute)
		m.SetError("")
		time.Sleep(15 * time.Second)
		if got, err := a.Ask(ctx, "job", at, []string{"b"}); err != nil || len(got["b"]) != 1 {
			t.Errorf("after Redis came back: got %v, %v", got, err)
		}
		cancel()
		time.Sleep(5 * time.Second)
	})
}

func TestForeignMessagesAreNeitherAnsweredNorTaken(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	rdb := client(t, server.Addr, nil)
	ctx, cancel := context.WithCancel(t.Context())
	b := redisjournal.NewInquiry(rdb, "solocron", "test", "b", journal.NewSightings(0))
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	a := redisjournal.NewInquiry(client(t, server.Addr, nil), "solocron", "test", "a", journal.NewSightings(0))
	for end := time.Now().Add(5 * time.Second); ; {
		if got, _ := a.Ask(ctx, "job", time.UnixMilli(1), []string{"b"}); len(got) == 2 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("b does not answer")
		}
	}
	answers := rdb.PSubscribe(ctx, "solocron:{test.m}:answer:*")
	defer answers.Close()
	if _, err := answers.Receive(ctx); err != nil {
		t.Fatal(err)
	}
	good := `{"v":1,"id":"0123456789abcdef0123456789abcdef","job":"job","ms":1}`
	for _, message := range []string{"", "x", "{}", strings.Replace(good, `:1`, `:2`, 1), strings.Replace(good, "0123", "../{", 1), good} {
		rdb.Publish(ctx, "solocron:{test.m}:ask", message)
	}
	message, err := answers.ReceiveMessage(ctx)
	if err != nil || !strings.HasSuffix(message.Channel, ":answer:0123456789abcdef0123456789abcdef") {
		t.Errorf("got %v, %v; want the answer to the good question first", message, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
}

func FuzzAnswersOfAnyBytesAreBounded(f *testing.F) {
	good, err := redisjournal.EncodeAnswer("a", []journal.Sighting{{Phase: scheduler.Waiting, At: time.UnixMilli(1), Last: time.UnixMilli(2), Count: 3}})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{string(good), "", "{}", `{"v":1,"from":"a","seen":[{"n":-1,"m":"` + strings.Repeat("x", 500) + `"}]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		redisjournal.IsQuestion(message)
		from, seen, ok := redisjournal.DecodeAnswer(message)
		if !ok {
			return
		}
		if from == "" || len(from) > 300 || len(seen) > journal.MaxSeen {
			t.Fatalf("accepted %d sightings from %q", len(seen), from)
		}
		for _, s := range seen {
			if s.Count < 1 || s.Attempt < 0 || len(s.By) > journal.MaxWords || len(s.Note) > journal.MaxWords || len(s.Phase)+len(s.Verdict)+len(s.Reason) > 120 {
				t.Fatalf("accepted %+v", s)
			}
		}
		again, err := redisjournal.EncodeAnswer(from, seen)
		if err != nil {
			t.Fatal(err)
		}
		if _, twice, ok := redisjournal.DecodeAnswer(string(again)); !ok || !reflect.DeepEqual(twice, seen) {
			t.Fatalf("got %v, want %v", twice, seen)
		}
	})
}

func TestInquiriesRefuseBadNames(t *testing.T) {
	t.Parallel()
	rdb := client(t, "127.0.0.1:1", nil)
	seen := journal.NewSightings(0)
	for _, q := range []*redisjournal.Inquiry{
		redisjournal.NewInquiry(rdb, "a{b", "test", "a", seen),
		redisjournal.NewInquiry(rdb, "solocron", "", "a", seen),
		redisjournal.NewInquiry(rdb, "solocron", "test", "", seen),
		redisjournal.NewInquiry(rdb, "solocron", "test", strings.Repeat("a", 301), seen),
	} {
		if q.Run(t.Context()) == nil {
			t.Error("Run accepted a bad name")
		}
		if _, err := q.Ask(t.Context(), "job", time.UnixMilli(1), nil); err == nil {
			t.Error("Ask accepted a bad name")
		}
	}
}
