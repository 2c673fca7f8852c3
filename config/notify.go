package config

import (
	"time"

	"github.com/solocron/solocron/jobs"
)

// Notify says whom to tell what becomes of jobs. After loading every channel is of
// exactly one kind, and every job's channels are there.
type Notify struct {
	Link     string             `yaml:"link"`     // URL of the page, for messages to point at; "": they do not
	Channels map[string]Channel `yaml:"channels"` // by name
	Defaults NotifyPolicy       `yaml:"defaults"` // what jobs get that do not say otherwise
}

// Channel is a way to tell somebody something: of one kind.
type Channel struct {
	Webhook *Webhook      `yaml:"webhook"`
	Slack   *Slack        `yaml:"slack"`
	Email   *Email        `yaml:"email"`
	Command *CommandAlert `yaml:"command"`
	Limit   int           `yaml:"limit"` // messages in a minute, of the whole cluster; what goes beyond is told together. 0: DefaultChannelLimit
}

// Webhook is an HTTP receiver of messages.
type Webhook struct {
	URL     jobs.Secret            `yaml:"url"`
	Secret  jobs.Secret            `yaml:"secret"` // signs each request; none: they are not signed
	Headers map[string]jobs.Secret `yaml:"headers"`
	Body    string                 `yaml:"body"` // a template; "": JSON
}

// Slack is a receiver of what Slack's incoming webhooks take.
type Slack struct {
	URL jobs.Secret `yaml:"url"`
}

// Email is a server that takes mail, and who gets it.
type Email struct {
	Host     string      `yaml:"host"`
	Port     int         `yaml:"port"` // 0: 587, or 465 with TLS implicit
	TLS      string      `yaml:"tls"`  // MailStartTLS, MailImplicitTLS, MailPlain; "": MailStartTLS
	Username string      `yaml:"username"`
	Password jobs.Secret `yaml:"password"`
	From     string      `yaml:"from"`
	To       []string    `yaml:"to"`
}

// How mail is encrypted on its way to the server.
const (
	MailStartTLS    = "starttls" // TLS after a greeting; without it nothing is sent
	MailImplicitTLS = "implicit" // TLS from the first byte on
	MailPlain       = "none"     // for a server on this machine
)

// CommandAlert is a program that is run for each message.
type CommandAlert struct {
	Argv []string               `yaml:"argv"`
	Env  map[string]jobs.Secret `yaml:"env"`

	Withheld map[string]bool `yaml:"-"` // as of jobs.Exec
}

// NotifyEvent is something of a job that people may want to be told.
type NotifyEvent string

// The events.
const (
	OnNotifyFailure  NotifyEvent = "failure"  // a run failed, for good
	OnNotifyRecovery NotifyEvent = "recovery" // a run succeeded after what was told
	OnNotifyMissed   NotifyEvent = "missed"   // a tick was not run: it was too late
	OnNotifyLost     NotifyEvent = "lost"     // a run's replica or lease was lost
	OnNotifyLate     NotifyEvent = "late"     // it has not started, or not finished, when it should have
)

// NotifyEvents lists all events.
func NotifyEvents() []NotifyEvent {
	return []NotifyEvent{OnNotifyFailure, OnNotifyRecovery, OnNotifyMissed, OnNotifyLost, OnNotifyLate}
}

// NotifyPolicy is whom to tell what of a job, and when.
type NotifyPolicy struct {
	On      []NotifyEvent `yaml:"on"`
	To      []string      `yaml:"to"`      // names of channels; none: nobody is told
	After   int           `yaml:"after"`   // failure: failed runs in a row
	Remind  time.Duration `yaml:"remind"`  // from a message to the next while nothing has become better; 0: never
	Same    time.Duration `yaml:"same"`    // how long the same failure is not told again after a recovery; 0: it is told each time
	Silence []Silence     `yaml:"silence"` // when nothing is told
}

// Silence is a time in which nobody is told anything: each day, some days of the
// week, or until a moment. What has not become better by its end is told then.
type Silence struct {
	From     string   `yaml:"from"`     // 22:00, in the job's zone
	To       string   `yaml:"to"`       // 06:00; on the next day if that is not after From
	Weekdays []string `yaml:"weekdays"` // on which it begins; none: each day
	Until    string   `yaml:"until"`    // a moment, instead of the others

	Window QuietWindow `yaml:"-"` // what the texts say
}

// QuietWindow is what a Silence says.
type QuietWindow struct {
	Until    time.Time // not zero: the rest has no meaning
	From, To int       // minutes after midnight
	Days     [7]bool   // by time.Weekday
}

// Expect is a dead man's switch: by when a tick must have started and its run must
// have finished, counted from the tick. 0: that does not matter.
type Expect struct {
	StartWithin  time.Duration `yaml:"startWithin"`
	FinishWithin time.Duration `yaml:"finishWithin"`
}

// DefaultChannelLimit is how many messages a channel gets in a minute if it does
// not say.
const DefaultChannelLimit = 10

// builtinNotify is what holds where nobody says otherwise. There is no channel in
// it: nobody is told anything.
func builtinNotify() Notify {
	return Notify{Defaults: NotifyPolicy{On: NotifyEvents(), After: 1, Remind: 24 * time.Hour, Same: time.Hour}}
}

// Notifies reports whether anybody is told anything of j, its pings apart.
func (j *Job) Notifies() bool { return len(j.Notify.To) > 0 && len(j.Notify.On) > 0 }
