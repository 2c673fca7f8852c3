package notify

import (
	"maps"
	"slices"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// plan is what a configuration says. It is never changed: a new one takes its place.
type plan struct {
	policies map[string]*Policy // of the jobs of which somebody is told something
	pings    map[string]jobs.Secret
	channels []*channel // by name
	watches  []watch
}

func newPlan(cfg *config.Config, m Means) (*plan, error) {
	p := &plan{policies: map[string]*Policy{}, pings: map[string]jobs.Secret{}}
	for _, name := range slices.Sorted(maps.Keys(cfg.Notify.Channels)) {
		c, err := newChannel(name, cfg.Notify.Channels[name], m)
		if err != nil {
			return nil, err
		}
		p.channels = append(p.channels, c)
	}
	for i := range cfg.Jobs {
		j := &cfg.Jobs[i]
		if !j.Ping.IsZero() {
			p.pings[j.Name] = j.Ping
		}
		if !j.Notifies() {
			continue
		}
		policy := policyOf(j, cfg.Notify.Link)
		p.policies[j.Name] = policy
		if policy.wants(Late) && j.Schedule != nil && !j.Suspend {
			p.watches = append(p.watches, watchesOf(j)...)
		}
	}
	return p, nil
}
