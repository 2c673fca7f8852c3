package election_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/memlease"
)

// locks are those of one process. In production the store is a redislease.Store,
// and the name that of the process.
func locks(store election.Store, name string) *election.Locks {
	l, err := election.NewLocks(store, name, election.LocksConfig{MaxWait: 10 * time.Second})
	if err != nil {
		panic(err)
	}
	return l
}

// An order is changed by one process at a time. The lock is renewed while the
// work lasts; the token goes along with what is written: see package fence.
func ExampleMutex_Do() {
	store := new(memlease.Store)
	shop, bot := locks(store, "shop-1"), locks(store, "bot-1")
	key := election.Key{Environment: "prod", Tenant: "acme", Kind: "order", ID: "4711"}

	ship := func(ctx context.Context) error {
		_, fenced := election.Token(ctx)
		fmt.Println("shipping, with a token:", fenced)

		_, err := bot.Mutex(key).Try(ctx)
		if held, ok := errors.AsType[*election.HeldError](err); ok {
			fmt.Println("the bot has to wait for", held.By)
		}
		// What is called from here may lock the order again.
		return shop.Mutex(key).Do(ctx, func(context.Context) error {
			fmt.Println("still the same lock")
			return nil
		})
	}
	fmt.Println(shop.Mutex(key).Do(context.Background(), ship))
	// Output:
	// shipping, with a token: true
	// the bot has to wait for shop-1
	// still the same lock
	// <nil>
}

// Who does not run a function can hold the lock by hand, and must extend it.
func ExampleMutex_Try() {
	l := locks(new(memlease.Store), "shop-1")
	h, err := l.Mutex(election.Key{Kind: "import", ID: "prices"}).Try(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Unlock() //nolint:errcheck // what it says was printed
	fmt.Println(h.Extend(context.Background(), time.Minute), h.Check(), h.Remaining() > 50*time.Second)
	fmt.Println(h.Unlock(), h.Unlock())
	// Output:
	// <nil> <nil> true
	// <nil> <nil>
}

// A mail goes out at most once in 30 minutes, whatever duplicates come. When it
// fails, the next may try at once.
func ExampleOnce() {
	l := locks(new(memlease.Store), "mailer-1")
	once := l.Once(election.Key{Tenant: "acme", Kind: "reminder", ID: "anna@example.com"}, 30*time.Minute)
	attempt := 0
	for range 3 {
		err := once.Do(context.Background(), func(context.Context) error {
			if attempt++; attempt == 1 {
				return errors.New("mail server is busy")
			}
			fmt.Println("sent")
			return nil
		})
		if done, ok := errors.AsType[*election.DoneError](err); ok {
			fmt.Printf("%s has sent it, the next in %s\n", done.By, done.Opens.Round(time.Minute))
		} else if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// mail server is busy
	// sent
	// mailer-1 has sent it, the next in 30m0s
}

// At most two reports are made at a time, in all processes together.
func ExampleSemaphore() {
	l := locks(new(memlease.Store), "report-1")
	slots := l.Semaphore(election.Key{Kind: "reports", ID: "pdf"}, 2)
	var held []*election.Handle
	for range 3 {
		h, err := slots.Try(context.Background())
		fmt.Println("full:", errors.Is(err, election.ErrHeld))
		if err == nil {
			held = append(held, h)
		}
	}
	for _, h := range held {
		fmt.Println(h.Unlock())
	}
	// Output:
	// full: false
	// full: false
	// full: true
	// <nil>
	// <nil>
}

// One process consumes the feed, for as long as it lives.
func ExampleLeader() {
	l := locks(new(memlease.Store), "feed-1")
	ctx, stop := context.WithCancel(context.Background())
	leader := l.Leader(election.Key{Kind: "feed", ID: "prices"})
	err := leader.Run(ctx, election.Callbacks{
		Elected: func(ctx context.Context) {
			fmt.Println("leading:", leader.IsLeader())
			stop() // as SIGTERM would
			<-ctx.Done()
		},
		Resigned: func(cause error) { fmt.Println("resigned:", cause) },
		Observed: func(by string, _ int64) { fmt.Println("leader is", by) },
	})
	fmt.Println(err)
	// Output:
	// leader is feed-1
	// leading: true
	// resigned: context canceled
	// <nil>
}
