package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
)

const notifyHead = `
notify:
  link: https://cron.example.org
  channels:
    ops: { slack: { url: { env: SLACK_URL } } }
    audit:
      limit: 3
      webhook:
        url: { file: /run/secrets/hook }
        secret: { env: HOOK_KEY }
        headers: { X-Team: ops }
        body: '{"summary": {{json .Title}}}'
    mail: { email: { host: 127.0.0.1, tls: none, from: cron@example.org, to: ops@example.org } }
    page: { command: { argv: [/bin/page, --now], env: { KEY: { env: PAGE_KEY } } } }
  defaults: { to: ops, remind: 6h }
`

func TestAJobTellsAsTheDefaultsSayUnlessItSaysOtherwise(t *testing.T) {
	t.Parallel()
	cfg := good(t, notifyHead+`
jobs:
- { name: a, schedule: "@daily", shell: x }
- name: b
  schedule: "@daily"
  timeZone: Europe/Berlin
  shell: x
  notify:
    on: [failure, late]
    to: [mail, page]
    after: 2
    same: 0
    silence:
    - { from: "22:00", to: "06:30", weekdays: [fri, sat] }
    - { until: 2026-12-01T08:00 }
  expect: { startWithin: 2m, finishWithin: 45m }
  ping: { env: HC_URL }
- { name: c, schedule: "@daily", shell: x, notify: { to: [] } }
`)
	a, b, c := cfg.Jobs[0], cfg.Jobs[1], cfg.Jobs[2]
	if got := a.Notify; len(got.On) != 5 || got.To[0] != "ops" || got.After != 1 || got.Remind != 6*time.Hour || got.Same != time.Hour {
		t.Errorf("a: got %+v, want the defaults", got)
	}
	if got := b.Notify; len(got.On) != 2 || len(got.To) != 2 || got.After != 2 || got.Remind != 6*time.Hour || got.Same != 0 {
		t.Errorf("b: got %+v, want its own over the defaults", got)
	}
	if got := b.Notify.Silence[0].Window; got.From != 22*60 || got.To != 6*60+30 || got.Days != [7]bool{time.Friday: true, time.Saturday: true} {
		t.Errorf("b: got the window %+v", got)
	}
	if got, want := b.Notify.Silence[1].Window.Until, time.Date(2026, 12, 1, 7, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("b: got silence until %v, want %v: the job's zone", got, want)
	}
	if b.Expect != (config.Expect{StartWithin: 2 * time.Minute, FinishWithin: 45 * time.Minute}) || b.Ping.Env != "HC_URL" {
		t.Errorf("b: got %+v and ping %v", b.Expect, b.Ping)
	}
	if c.Notifies() || !a.Notifies() {
		t.Errorf("got c tells %t, a %t; want only a", c.Notifies(), a.Notifies())
	}
	if got := cfg.Notify.Channels["ops"].Limit; got != config.DefaultChannelLimit {
		t.Errorf("got a limit of %d, want the default", got)
	}
}

func TestFaultsOfNotificationsSayWhereAndWhatToDo(t *testing.T) {
	t.Parallel()
	const jobs = "\njobs:\n- { name: a, schedule: \"@daily\", shell: x%s }\n"
	for name, c := range map[string]struct{ head, job, want string }{
		"unknown channel":  {notifyHead, ", notify: { to: [osp] }", `c.yaml:18:59 jobs[a].notify.to[0] "osp" is no channel: did you mean ops?`},
		"unknown event":    {notifyHead, ", notify: { on: [fail], to: ops }", `jobs[a].notify.on[0] "fail" is unknown`},
		"event twice":      {notifyHead, ", notify: { on: [late, late] }", `jobs[a].notify.on[1] is there twice`},
		"nobody to tell":   {"", ", notify: { after: 2 }", `jobs[a].notify.to is missing`},
		"no such field":    {notifyHead, ", notify: { remidn: 4h }", `jobs[a].notify.remidn is unknown: did you mean remind?`},
		"after zero":       {notifyHead, ", notify: { after: 0 }", `jobs[a].notify.after must be from 1 to 1000`},
		"remind too often": {notifyHead, ", notify: { remind: 1s }", `jobs[a].notify.remind must be 0 for never, or from 1m`},
		"half a silence":   {notifyHead, `, notify: { silence: [{ from: "22:00" }] }`, `jobs[a].notify.silence[0] must be { from: "22:00", to: "06:00" }`},
		"bad clock":        {notifyHead, `, notify: { silence: [{ from: "24:00", to: "06:00" }] }`, `jobs[a].notify.silence[0] must be`},
		"bad weekday":      {notifyHead, `, notify: { silence: [{ from: "22:00", to: "06:00", weekdays: [caturday] }] }`, `weekday "caturday" is unknown`},
		"two silences":     {notifyHead, `, notify: { silence: [{ from: "22:00", until: 2026-12-01 }] }`, `they are two entries`},
		"empty expect":     {"", ", expect: {}", `jobs[a].expect says nothing`},
		"expect backwards": {"", ", expect: { startWithin: 2h, finishWithin: 1h }", `jobs[a].expect.finishWithin is counted from the tick too`},
		"ping no URL":      {"", ", ping: hc", `jobs[a].ping must be a URL that begins with http:// or https://`},
		"no channel kind":  {"notify: { channels: { x: { limit: 3 } } }", "", `notify.channels.x must have exactly one of`},
		"two kinds":        {"notify: { channels: { x: { slack: { url: http://a/ }, command: { argv: [a] } } } }", "", `notify.channels.x must have exactly one of`},
		"bad name":         {"notify: { channels: { X: { slack: { url: http://a/ } } } }", "", `notify.channels.X "X" has capital letters`},
		"secret not told":  {"notify: { channels: { x: { slack: { url: ftp://hunter2/ } } } }", "", `c.yaml:1:42 notify.channels.x.slack.url must be a URL`},
		"no URL":           {"notify: { channels: { x: { webhook: {} } } }", "", `notify.channels.x.webhook url is missing`},
		"bad template":     {"notify: { channels: { x: { webhook: { url: http://a/, body: '{{.Nope}}' } } } }", "", `notify.channels.x.webhook.body`},
		"endless template": {"notify: { channels: { x: { webhook: { url: http://a/, body: '{{range $i, $e := .Text}}{{end}}{{printf \"%9999999s\" .Text}}' } } } }", "", `webhook.body`},
		"mail in clear":    {"notify: { channels: { x: { email: { host: mail.example.org, tls: none, from: a@b, to: a@b } } } }", "", `none is for a server on this machine`},
		"mail to nobody":   {"notify: { channels: { x: { email: { host: h, from: a@b } } } }", "", `must name 1 to 50 addresses`},
		"password alone":   {"notify: { channels: { x: { email: { host: h, from: a@b, to: a@b, password: { env: P } } } } }", "", `and password go together`},
		"no program":       {"notify: { channels: { x: { command: { argv: [] } } } }", "", `argv is missing`},
		"our environment":  {"notify: { channels: { x: { command: { argv: [a], env: { SOLOCRON_X: y } } } } }", "", `names that begin with SOLOCRON_`},
		"bad limit":        {"notify: { channels: { x: { limit: -1, slack: { url: http://a/ } } } }", "", `notify.channels.x.limit must be from 1 to 1000`},
		"link with a user": {"notify: { link: 'https://u:hunter2@a/' }", "", `notify.link must be the URL of the page`},
		"bad default":      {"notify: { defaults: { to: [ops] } }", "", `notify.defaults.to[0] "ops" is no channel: there are none`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := bad(t, c.head+strings.Replace(jobs, "%s", c.job, 1)).Error()
			if !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant %s", got, c.want)
			}
			if strings.Contains(got, "hunter2") {
				t.Errorf("a fault repeats a secret: %s", got)
			}
			if n := strings.Count(got, "\n"); n > 0 {
				t.Errorf("got %d faults, want one:\n%s", n+1, got)
			}
		})
	}
}

func TestAJobWithoutScheduleIsExpectedAtNoTime(t *testing.T) {
	t.Parallel()
	got := bad(t, "jobs:\n- { name: a, schedule: manual, shell: x, expect: { startWithin: 1m } }\n").Error()
	if !strings.Contains(got, "expected at no time") {
		t.Errorf("got %s", got)
	}
}
