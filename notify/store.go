package notify

import (
	"context"
	"time"
)

const (
	// MaxOutbox is how many messages a store keeps until channels have taken them;
	// what is beyond is dropped, the newest first.
	MaxOutbox = 2000
	// StateLife is how long a store keeps the state of a job after its last change.
	StateLife = 90 * 24 * time.Hour
	// OutboxLife is how long a store keeps messages that nobody takes: those of
	// channels that are gone.
	OutboxLife = 7 * 24 * time.Hour
)

// Store is what the replicas share. Moments are the caller's: clocks of replicas
// differ by seconds, which nothing here minds. All methods are safe to repeat after an
// error. Implementations pass notifytest.
type Store interface {
	// Load returns the records of jobs, in their order; one that there is not is zero.
	Load(ctx context.Context, jobs []string) ([]Record, error)
	// Swap makes changes, each alone, if the record is still of the version that it
	// names, and puts its messages into the outbox in the same step. Dropped is how
	// many found no room there.
	Swap(ctx context.Context, changes []Change) (swapped []bool, dropped int, err error)
	// Due returns at most limit jobs whose moment has come, those that wait longest first.
	Due(ctx context.Context, now time.Time, limit int) ([]string, error)
	// Take takes messages of one channel out of the outbox until c.Now + c.Hold: if
	// they are not settled by then, somebody else takes them.
	Take(ctx context.Context, c Call) (Taken, error)
	// Settle says what became of messages that were taken.
	Settle(ctx context.Context, channel string, ends []End) error
}

// Record is what is kept of a job.
type Record struct {
	Data    []byte
	Version int64 // of Data, grows with each change; 0: there is none
}

// Change puts Data in place of the record of Version.
type Change struct {
	Job     string
	Version int64
	Data    []byte
	Due     time.Time // when the job is to be looked at again; zero: never
	Made    time.Time // of the messages
	Out     []Out
}

// Out is a message on its way to one channel.
type Out struct {
	ID      string // unique in the channel
	Channel string
	Data    []byte
}

// Call asks for messages of a channel.
type Call struct {
	Channel string
	Now     time.Time
	Hold    time.Duration
	Most    int           // messages
	Rate    int           // deliveries in each Window, of all replicas
	Window  time.Duration // that begins at a multiple of itself
}

// Taken is what a Call was given. If there are more items than deliveries, the last
// delivery is all that are left together.
type Taken struct {
	Items      []Item
	Deliveries int // that the rate has been charged for
}

// Item is a message that was taken.
type Item struct {
	ID   string
	Data []byte
	Made time.Time
	Try  int // 1 for the first time
}

// End says what became of a message.
type End struct {
	ID    string
	Again time.Time // when it is to be tried again; zero: it is done with
}

// Deliveries is how many deliveries items are, of which so many are left to a rate;
// none if nothing is left.
func Deliveries(items, left int) int { return max(0, min(items, left)) }
