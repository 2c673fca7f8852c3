package redisclient

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// finder asks sentinels for the address of a master.
type finder struct {
	section string
	master  string
	addrs   []string
	login   login
	dial    func(ctx context.Context, network, addr string) (net.Conn, error)
	limit   time.Duration // for all of them together
}

// sighting is what one sentinel says.
type sighting struct {
	addr  string // of the master
	epoch int64  // of its configuration: the last failover that the sentinel knows of
	err   error
}

// find asks all sentinels at once. A majority of them knows of every failover, as a
// majority must agree to one: so the newest word of a majority counts, and one that
// hangs holds nobody up. With fewer answers at the end of the limit the newest
// of those counts.
func (f *finder) find(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, f.limit)
	answers := make(chan sighting, len(f.addrs))
	var asking sync.WaitGroup
	for _, addr := range f.addrs {
		asking.Go(func() { answers <- f.ask(ctx, addr) })
	}
	defer asking.Wait()
	defer cancel() // ends the questions that are still asked
	var best sighting
	var faults []error
	for good := 0; good+len(faults) < len(f.addrs) && good <= len(f.addrs)/2; {
		s := <-answers
		switch {
		case s.err != nil:
			faults = append(faults, s.err)
			continue
		case good == 0 || s.epoch > best.epoch:
			best = s
		}
		good++
	}
	if best.addr == "" {
		return "", f.explain(faults)
	}
	return best.addr, nil
}

// ask asks the sentinel at addr, on a connection of its own, until ctx ends.
func (f *finder) ask(ctx context.Context, addr string) sighting {
	rdb := redis.NewClient(&redis.Options{
		Addr: addr, Dialer: f.dial, Protocol: 2, DisableIdentity: true,
		CredentialsProviderContext: f.login,
		ContextTimeoutEnabled:      true, MaxRetries: -1, DialerRetries: 1, PoolSize: 4, PipelinePoolSize: -1, // with one place, a dial that fails leaves a goroutine
		DialTimeout: f.limit, ReadTimeout: f.limit, WriteTimeout: f.limit, PoolTimeout: f.limit,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	var once sync.Once
	end := func() { once.Do(func() { _ = rdb.Close() }) }
	defer end()
	stop := context.AfterFunc(ctx, end) // go-redis heeds a deadline while it reads, no cancellation
	defer stop()
	facts := redis.NewMapStringStringCmd(ctx, "sentinel", "master", f.master)
	err := rdb.Process(ctx, facts)
	if err == nil {
		return sightingOf(facts.Val())
	}
	return sighting{err: fmt.Errorf("sentinel %s: %w", addr, err)}
}

// sightingOf reads what a sentinel says of a master.
func sightingOf(facts map[string]string) sighting {
	epoch, err := strconv.ParseInt(facts["config-epoch"], 10, 64)
	if port, bad := strconv.Atoi(facts["port"]); err != nil || bad != nil || port < 1 || facts["ip"] == "" {
		return sighting{err: errors.New("a sentinel answered without an address")}
	}
	return sighting{addr: net.JoinHostPort(facts["ip"], facts["port"]), epoch: epoch}
}

// explain says why no sentinel named a master.
func (f *finder) explain(faults []error) error {
	unknown := func(err error) bool { return strings.Contains(err.Error(), "No such master") }
	if slices.ContainsFunc(faults, unknown) && !slices.ContainsFunc(faults, func(err error) bool { return !unknown(err) }) {
		return fmt.Errorf("the sentinels know no master %q: see %s.sentinel.master", f.master, f.section)
	}
	all := faults[0] // each sentinel gave one
	for _, err := range faults[1:] {
		all = fmt.Errorf("%w; %w", all, err) // in one line, as errors.Join is not
	}
	return fmt.Errorf("no sentinel names the master %q: %w", f.master, all)
}
