package notify

// Meter counts what becomes of messages. Channels are those of the configuration, and
// ping; "" is what was dropped before it was known for whom it was.
type Meter interface {
	// Sent counts messages that a channel has taken.
	Sent(channel string, n int)
	// Failed counts a try that failed, of one delivery.
	Failed(channel string)
	// Dropped counts messages that nobody will be told: they were refused, too old, or
	// too many.
	Dropped(channel string, n int)
}

// unmetered counts nothing.
type unmetered struct{}

func (unmetered) Sent(string, int)    {}
func (unmetered) Failed(string)       {}
func (unmetered) Dropped(string, int) {}
