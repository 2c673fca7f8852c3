package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/faultproxy"
	"github.com/solocron/solocron/internal/redistest"
)

// garbage is what a server might say that is not Redis, or not in step. It does
// not announce gigabytes: go-redis makes room for what is announced, unbounded.
func garbage() [][]byte {
	return [][]byte{
		[]byte("+OK\r\n"), []byte(":1\r\n"), []byte("$-1\r\n"), []byte("*0\r\n"), []byte("_\r\n"),
		[]byte("*3\r\n$1\r\nG\r\n$1\r\n1\r\n$1\r\n1\r\n"),
		[]byte("-ERR nonsense\r\n"), []byte("HTTP/1.1 400 Bad Request\r\n\r\n"),
		{0, 255, 13, 10, 36},
		[]byte("$65536\r\n"), []byte("*2\r\n:1\r\n"),
	}
}

// worsen does something to a network, by chance.
func worsen(p *faultproxy.Proxy, rnd *rand.Rand) string {
	ttl := terms().TTL
	switch rnd.IntN(11) {
	case 0:
		p.DropNextReply()
		return "drops a reply"
	case 1:
		p.DelayReplies(ttl * 9 / 10)
		return "delays replies by 0.9 ttl"
	case 2:
		d := rand.N(ttl / 10)
		p.Delay(d)
		return fmt.Sprintf("delays requests by %s", d)
	case 3, 9:
		p.SilenceRequests(true)
		return "swallows requests"
	case 4, 8:
		p.SilenceReplies(true)
		return "swallows replies"
	case 5, 6:
		text := garbage()[rnd.IntN(len(garbage()))]
		p.ForgeNextReply(text)
		return fmt.Sprintf("answers %q", text)
	case 7:
		p.RepeatReply()
		return "answers as before"
	}
	p.Cut()
	return "closes all connections"
}

// unrest lets the networks of all but one replica, which changes, misbehave for d.
func unrest(w *world, all []*replica, rnd *rand.Rand, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		safe := rnd.IntN(len(all))
		all[safe].proxy.Heal()
		for i, r := range all {
			switch {
			case i == safe:
			case rnd.IntN(4) == 0:
				r.proxy.Heal()
			default:
				what := worsen(r.proxy, rnd)
				w.say("%s: its network %s", r.name, what)
			}
		}
		// A third of the times last longer than a lease that is not renewed, and the
		// lock delay: whoever holds on too long meets the next holder.
		pause := time.Duration(200+rnd.IntN(1800)) * time.Millisecond
		if rnd.IntN(3) == 0 {
			pause += term()
		}
		watch(w.t, pause)
	}
	for _, r := range all {
		r.proxy.Heal()
	}
}

// lost are the verdicts on ticks that nobody ran although a replica had Redis.
func lost(verdicts count) int {
	n := 0
	for v, times := range verdicts {
		switch v {
		case "succeeded", "lost", "lost(crash)", "skipped(overlap)":
		default:
			n += times
		}
	}
	return n
}

func TestNetworksThatMisbehaveByChanceNeitherLoseNorDoubleATick(t *testing.T) {
	t.Parallel()
	seeds := uint64(6)
	if long() {
		seeds = 200
	}
	first := rand.Uint64N(1 << 32)
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			storm(t, seed)
		})
	}
}

// storm is one random schedule of faults.
func storm(t *testing.T, seed uint64) {
	server := redistest.Start(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t, append(quick(), job{"slow", 6 * time.Second})...)
	all := w.trio(server.Addr)
	from := time.Now()
	unrest(w, all, rnd, 9*time.Second)
	to := time.Now()

	verdicts := w.judge(all[0], from, to)
	if n := lost(verdicts); n > 0 {
		t.Errorf("%d ticks were lost although one replica had Redis all the time", n)
	}
	if verdicts["succeeded"] < 10 {
		t.Errorf("%d ticks succeeded, want most of those of three quick jobs in 9 s", verdicts["succeeded"])
	}
}
