package scheduler

import "time"

// Tick is one nominal moment of one job: an instant computed from its
// schedule, the same on every replica, never the time somebody looked. It also
// stands for a request, which has a moment too.
type Tick struct {
	Job    string
	At     time.Time // UTC; for a request the moment it is about
	Manual bool      // a request, not a scheduled moment
	Cause  Cause     // Manual: why it was made; "": ByHand
	By     string    // Manual: who asked
	Key    string    // Manual: distinguishes requests about the same second
	Run    string    // the ID, if it is not made from the others
}

const stampLayout = "20060102T150405Z"

// ID names the run of t, so that creating it twice collides: nightly-report.20261129T013000Z.
func (t Tick) ID() string {
	if t.Run != "" {
		return t.Run
	}
	const usual = 128 // bytes: a longer one costs one allocation more
	id := append(make([]byte, 0, usual), t.Job...)
	id = t.At.UTC().AppendFormat(append(id, '.'), stampLayout)
	if t.Manual {
		cause := t.Cause
		if cause == "" {
			cause = ByHand
		}
		id = append(append(id, '.'), cause...)
		id = append(append(id, '-'), t.Key...)
	}
	return string(id)
}
