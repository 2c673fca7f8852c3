package ledger

// What says which part of a record a step has altered.
type What uint8

// What a step can alter.
const (
	Nothing What = iota // the record is as it was
	Noted               // something was noted; lease and closed time stay as they are
	Timed               // owner, state or Expires are new: so is how long others are kept out
	Dropped             // the record is to be deleted at once
)

// Change is what a store has to write after a step.
type Change struct {
	What What
	Life int64 // Noted and Timed: how long at least the record is to be kept, in ms; SameLife: as long as before
}

// SameLife leaves the time at which a record vanishes as it is.
const SameLife = -1

// noted is a note in r that is kept for life.
func (r *Record) noted(life int64) Change { return Change{What: Noted, Life: life} }

// timed is a new term of r that is kept for life.
func (r *Record) timed(life int64) Change { return Change{What: Timed, Life: life} }

// KeepFor is how long r is to be kept at now if its own life is over in life
// milliseconds: its gate may need it for longer. Forever means that it never vanishes.
func (r *Record) KeepFor(life, now int64) int64 {
	switch end := r.Gate.keep(); end {
	case Forever:
		return Forever
	default:
		return max(life, 1, end-now)
	}
}
