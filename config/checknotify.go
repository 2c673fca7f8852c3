package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strings"

	"github.com/solocron/solocron/jobs"
)

const (
	maxChannels     = 50
	maxChannelLimit = 1000 // messages in a minute
	maxRecipients   = 50
)

// checkNotify looks at the channels, and at what jobs get that do not say otherwise.
func (l *loader) checkNotify() {
	n := &l.config.Notify
	if msg := badLink(n.Link); msg != "" {
		l.blame("notify.link", msg)
	}
	if len(n.Channels) > maxChannels {
		l.blame("notify.channels", fmt.Sprintf("has %d channels: at most %d", len(n.Channels), maxChannels))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(n.Channels)) {
		key := "notify.channels." + name
		if msg := badName(name); msg != "" {
			l.blame(key, msg)
		}
		c := n.Channels[name]
		c.Limit = cmp.Or(c.Limit, DefaultChannelLimit)
		if c.Command != nil {
			c.Command.Withheld = l.decoder.named
		}
		n.Channels[name] = c
		for _, f := range c.faults() {
			l.blameNotify(f, key)
		}
	}
	for _, f := range l.policyFaults(&n.Defaults, nil) {
		l.blameNotify(f, "notify.defaults")
	}
}

// blameNotify blames f below key, as far as that was written, unless something is
// known to be wrong there.
func (l *loader) blameNotify(f notifyFault, key string) {
	at := f.below(key)
	near := l.nearest(at)
	if l.faulty(near) {
		return
	}
	if near != at { // the rest of the path is not there to point at
		f.msg = strings.TrimPrefix(at[len(near):], ".") + " " + f.msg
	}
	l.blame(near, f.msg)
}

// nearest is key, or what stands above it, as far as it was written.
func (l *loader) nearest(key string) string {
	for !l.set(key) {
		i := strings.LastIndexAny(key, ".[")
		if i < 0 {
			break
		}
		key = key[:i]
	}
	return key
}

// notifyFault is what is wrong with a field, by its path.
type notifyFault struct{ path, msg string }

func (f notifyFault) below(key string) string {
	if f.path == "" {
		return key
	}
	return key + "." + f.path
}

// faults reports what is wrong with c.
func (c *Channel) faults() []notifyFault {
	var list []notifyFault
	kinds := 0
	add := func(kind string, there bool, faults func() []notifyFault) {
		if !there {
			return
		}
		kinds++
		for _, f := range faults() {
			list = append(list, notifyFault{f.below(kind), f.msg})
		}
	}
	add("webhook", c.Webhook != nil, func() []notifyFault { return c.Webhook.faults() })
	add("slack", c.Slack != nil, func() []notifyFault { return urlFaults(c.Slack.URL) })
	add("email", c.Email != nil, func() []notifyFault { return c.Email.faults() })
	add("command", c.Command != nil, func() []notifyFault { return c.Command.faults() })
	if kinds != 1 {
		list = append(list, notifyFault{"", "must have exactly one of webhook, slack, email, command"})
	}
	if msg := outside(c.Limit, 1, maxChannelLimit); msg != "" {
		list = append(list, notifyFault{"limit", msg})
	}
	return list
}

// urlFaults looks at a URL, of which no message repeats anything: it may be a
// secret as a whole. One that stands elsewhere is looked at when it is used.
func urlFaults(s jobs.Secret) []notifyFault {
	if s.IsZero() {
		return []notifyFault{{"url", "is missing: the address of the receiver, better as { env: NAME } or { file: PATH }"}}
	}
	if err := badLiteral(s); err != nil {
		return []notifyFault{{"url", err.Error()}}
	}
	return nil
}

// badLiteral looks at a URL that stands in the file. One that is shown as a secret is
// taken, so that a configuration as it is shown can be compared with others.
func badLiteral(s jobs.Secret) error {
	if s.Literal == "" || s.Literal == s.String() {
		return nil
	}
	return BadNotifyURL(s.Literal)
}

var errNotifyURL = errors.New("must be a URL that begins with http:// or https:// and has a host")

// BadNotifyURL reports what is no URL that messages can be sent to, without
// repeating any of it.
func BadNotifyURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Fragment != "" {
		return errNotifyURL
	}
	return nil
}

func badLink(s string) string {
	if s == "" {
		return ""
	}
	if u, err := url.Parse(s); err != nil || BadNotifyURL(s) != nil || u.User != nil || u.RawQuery != "" {
		return "must be the URL of the page, such as https://cron.example.org, without user and query"
	}
	return ""
}

func (w *Webhook) faults() []notifyFault {
	list := urlFaults(w.URL)
	for _, name := range slices.Sorted(maps.Keys(w.Headers)) {
		h := &jobs.HTTP{URL: "http://127.0.0.1/", Headers: map[string]jobs.Secret{name: w.Headers[name]}}
		if err := h.Validate(); err != nil {
			list = append(list, notifyFault{"headers." + name, "is no header: a name of letters, digits and dashes, and a value without line ends"})
		}
	}
	if w.Body != "" {
		if _, err := ParseNotifyBody(w.Body); err != nil {
			list = append(list, notifyFault{"body", err.Error()})
		}
	}
	return list
}

func (m *Email) faults() []notifyFault {
	var list []notifyFault
	add := func(path, msg string) { list = append(list, notifyFault{path, msg}) }
	switch {
	case m.Host == "":
		add("host", "is missing: the name of the server that takes mail")
	case badWordOf(m.Host) != "" || strings.ContainsAny(m.Host, ":/@"):
		add("host", "must be the name or address of a server, without port")
	}
	if m.Port < 0 || m.Port > 65535 {
		add("port", "must be from 1 to 65535")
	}
	switch m.TLS {
	case "", MailStartTLS, MailImplicitTLS:
	case MailPlain:
		if !onLoopback(net.JoinHostPort(m.Host, "0")) {
			add("tls", "none is for a server on this machine, such as 127.0.0.1: write starttls or implicit")
		}
	default:
		add("tls", quote(m.TLS)+" is not one of starttls, implicit, none")
	}
	if (m.Username == "") != m.Password.IsZero() {
		add("username", "and password go together")
	}
	if _, err := mail.ParseAddress(m.From); err != nil {
		add("from", "must be an address such as solocron@example.org")
	}
	if n := len(m.To); n == 0 || n > maxRecipients {
		add("to", fmt.Sprintf("must name 1 to %d addresses", maxRecipients))
	}
	for i, to := range m.To[:min(len(m.To), maxRecipients)] {
		if _, err := mail.ParseAddress(to); err != nil {
			add(itemKey("to", i), "must be an address such as ops@example.org")
		}
	}
	return list
}

func (c *CommandAlert) faults() []notifyFault {
	if len(c.Argv) == 0 {
		return []notifyFault{{"argv", "is missing: a list such as [/usr/local/bin/page, --team, ops]"}}
	}
	run := &jobs.Command{Argv: c.Argv, Exec: jobs.Exec{Env: c.Env}}
	err := run.Validate()
	if err == nil {
		return nil
	}
	var list []notifyFault
	for _, err := range parts(err) {
		path, msg := "argv", fmt.Sprint(err)
		if f, ok := errors.AsType[*jobs.FieldError](err); ok {
			msg = f.Msg
			if f.Field != "" && strings.HasPrefix(f.Field, "env.") {
				path = f.Field
			}
		}
		list = append(list, notifyFault{path, msg})
	}
	return list
}
