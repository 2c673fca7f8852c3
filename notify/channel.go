package notify

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/solocron/solocron/config"
)

// channel is a Sender and what it may send.
type channel struct {
	name   string
	sender Sender
	rate   int // deliveries in a minute, of the whole cluster
}

// Means is what senders need of the program.
type Means struct {
	Guard []string // the command that starts a guard, guard.Self as a rule; empty: programs run without one
	Dial  Dial     // makes connections; nil: as usual
}

// NewSender makes what sends over a channel. It connects to nobody and reads no secret.
func NewSender(c *config.Channel, m Means) (Sender, error) {
	p := newPoster(m.Dial)
	switch {
	case c.Webhook != nil:
		return newWebhook(c.Webhook, p)
	case c.Slack != nil:
		return &slack{p, *c.Slack}, nil
	case c.Email != nil:
		return &email{*c.Email, m.Dial}, nil
	case c.Command != nil:
		return &command{*c.Command, m.Guard}, nil
	}
	return nil, errors.New("it is neither webhook, slack, email nor command")
}

func newChannel(name string, c config.Channel, m Means) (*channel, error) {
	sender, err := NewSender(&c, m)
	if err != nil {
		return nil, fmt.Errorf("channel %q: %w", name, err)
	}
	return &channel{name, sender, cmp.Or(c.Limit, config.DefaultChannelLimit)}, nil
}
