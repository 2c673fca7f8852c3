package wire

// Deadline is until when a program may run.
type Deadline struct {
	Stop int64 // when it gets SIGTERM
	Dead int64 // when it, and all it started, gets SIGKILL
}

// DeadlineSize is the size of a Deadline in bytes.
const DeadlineSize = 16

// Append adds d to b.
func (d Deadline) Append(b []byte) []byte { return appendInt(appendInt(b, d.Stop), d.Dead) }

// DecodeDeadline reads the first DeadlineSize bytes of b.
func DecodeDeadline(b []byte) Deadline { return Deadline{Stop: getInt(b), Dead: getInt(b[8:])} }

// Kind is what a record tells.
type Kind int64

// The kinds of records, in the order in which a guard writes them. Refused is
// the only one of its guard.
const (
	Refused Kind = 1 + iota // the program could not be started: Status is the errno
	Started                 // the program runs: Status is its pid
	Exited                  // the program has ended: Status is that of wait(2), with its use of resources
	Ended                   // and so has all it left behind: Status is a How
)

// How says what a guard had to do.
type How int64

// The bits of a How.
const (
	ByDeadline How = 1 << iota // a deadline came, or the scheduler went
	Survived                   // there are processes that SIGKILL does not end
)

// Record is what a guard tells.
type Record struct {
	Kind   Kind
	Status int64
	User   int64 // processor time in µs
	System int64 // processor time in µs
	MaxRSS int64 // KiB
}

// RecordSize is the size of a Record in bytes. A pipe takes it whole or not at all.
const RecordSize = 40

// Append adds r to b.
func (r Record) Append(b []byte) []byte {
	for _, n := range [...]int64{int64(r.Kind), r.Status, r.User, r.System, r.MaxRSS} {
		b = appendInt(b, n)
	}
	return b
}

// DecodeRecord reads the first RecordSize bytes of b.
func DecodeRecord(b []byte) Record {
	return Record{Kind(getInt(b)), getInt(b[8:]), getInt(b[16:]), getInt(b[24:]), getInt(b[32:])}
}
