package notify

import (
	"slices"
	"time"

	"github.com/solocron/solocron/config"
)

// Policy is whom to tell what of a job, and when.
type Policy struct {
	On     []Kind
	To     []string      // names of channels
	After  int           // a failure is told after so many failed runs in a row
	Remind time.Duration // 0: never
	Same   time.Duration // how long the same thing is not told again after a recovery
	Quiet  []Quiet

	About About
}

// About is what messages say of a job beside what happened.
type About struct {
	Owner, Runbook, Link string
	Labels               map[string]string
}

// policyOf is the policy of j. Link is the address of the page.
func policyOf(j *config.Job, link string) *Policy {
	p := &Policy{To: j.Notify.To, After: max(1, j.Notify.After), Remind: j.Notify.Remind, Same: j.Notify.Same}
	for _, on := range j.Notify.On {
		p.On = append(p.On, Kind(on))
	}
	zone, err := time.LoadLocation(j.TimeZone)
	if err != nil {
		zone = time.UTC // a configuration that was loaded has no such zone
	}
	for _, s := range j.Notify.Silence {
		p.Quiet = append(p.Quiet, Quiet{QuietWindow: s.Window, Zone: zone})
	}
	p.About = About{Owner: j.Owner, Runbook: j.Runbook, Labels: j.Labels}
	if link != "" {
		p.About.Link = jobLink(link, j.Name)
	}
	return p
}

func (p *Policy) wants(k Kind) bool { return slices.Contains(p.On, k) }

// quietUntil is when people may be told something, seen from now: now, unless it is
// silent.
func (p *Policy) quietUntil(now time.Time) time.Time {
	const overlaps = 50 // windows that follow on each other without a gap
	t := now
	for range overlaps {
		before := t
		for i := range p.Quiet {
			t = p.Quiet[i].end(t)
		}
		if t.Equal(before) {
			break
		}
	}
	return t
}
