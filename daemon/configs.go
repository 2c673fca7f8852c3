package daemon

import (
	"slices"
	"sync"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// maxKnown is how many configurations a replica keeps, to compare.
const maxKnown = 5

// configs is the configuration that a replica runs by, and those before it.
type configs struct {
	file string // for people; may be empty

	mu     sync.RWMutex
	known  []*config.Config // the one in force first
	jobs   definitions      // of that
	loaded *admin.Loaded    // that, for people
	last   *admin.Reload    // how it went to read it again; nil: that was not tried
}

func newConfigs(cfg *config.Config, file string) *configs {
	c := &configs{file: file}
	c.put(cfg, time.Now())
	return c
}

// put has cfg be the one in force, since at.
func (c *configs) put(cfg *config.Config, at time.Time) {
	all := define(cfg.Jobs)
	loaded := &admin.Loaded{
		Revision: cfg.Revision, Namespace: cfg.Namespace, Jobs: len(cfg.Jobs), File: c.file, At: at.UTC(), Warnings: warnings(cfg.Jobs),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := slices.DeleteFunc(c.known, func(old *config.Config) bool { return old.Revision == cfg.Revision })
	c.known = append([]*config.Config{cfg}, known[:min(len(known), maxKnown-1)]...)
	c.jobs, c.loaded = all, loaded
}

// current is the one in force.
func (c *configs) current() *config.Config {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.known[0]
}

// note remembers how it went to read the configuration again.
func (c *configs) note(r *admin.Reload) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = r
}

// Known implements admin.Versions.
func (c *configs) Known() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	list := make([]string, len(c.known))
	for i, k := range c.known {
		list[i] = k.Revision
	}
	return list
}

// Revision implements admin.Versions.
func (c *configs) Revision(id string) (*config.Config, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, k := range c.known {
		if k.Revision == id {
			return k, true
		}
	}
	return nil, false
}

// shown is the one in force, for people.
func (c *configs) shown() *admin.Loaded {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.loaded
}

// reload is how it went to read it again; nil: that was not tried.
func (c *configs) reload() *admin.Reload {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.last
}

func (c *configs) definitions() definitions {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.jobs
}

// find returns the definition of a job.
func (c *configs) find(name string) (jobs.Job, bool) { return c.definitions().find(name) }

// logLimit is how many bytes are kept of what a run of a job prints.
func (c *configs) logLimit(name string) int { return c.definitions().logLimit(name) }

// about is what the configuration says of a job to people.
func (c *configs) about(name string) (admin.Origin, bool) {
	j := c.definitions()[name]
	if j == nil {
		return admin.Origin{}, false
	}
	return admin.Origin{
		Source: admin.Source{File: c.file, Line: j.Line}, Description: j.Description, Runbook: j.Runbook,
	}, true
}
