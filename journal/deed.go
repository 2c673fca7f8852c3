package journal

import "time"

// Acknowledged is the What of the Deed that Acknowledge notes.
const Acknowledged = "acknowledge"

// Deed is something a person, or a program for one, did to the cluster.
type Deed struct {
	At   time.Time // on the clock of whoever notes it; whole milliseconds. Zero: when the journal hears of it
	Who  string    // at most 200 bytes
	What string    // a word, such as trigger; at most 100 bytes
	Job  string    // may be empty, as all that follow
	Run  string    //
	Note string    // at most 500 bytes
	From string    // address or program; at most 200 bytes
}
