package admin

import (
	"context"
	"slices"
	"time"

	webpage "github.com/solocron/solocron/admin/page"
)

// Store is what this replica thinks of the lease store.
type Store struct {
	Answers bool       `json:"answers"`           // its last check was good, not long ago
	Breaker string     `json:"breaker,omitempty"` // closed: claims are sent; half-open; open
	Trouble string     `json:"trouble,omitempty"` // what the last check said
	Heard   *time.Time `json:"heard" doc:"Its last good answer to this replica; null: it has given none."`
}

// Cluster is how the cluster is, at a glance.
type Cluster struct {
	Namespace  string         `json:"namespace,omitempty"`
	ServerTime time.Time      `json:"serverTime"` // of this replica
	Jobs       int            `json:"jobs"`
	States     map[string]int `json:"states"`    // jobs in each state
	Running    int            `json:"running"`   // runs that are on
	Waiting    int            `json:"waiting"`   // runs that are wanted, or will be tried again
	Replicas   []Replica      `json:"replicas"`  //
	Revisions  map[string]int `json:"revisions"` // replicas of each configuration
	Drift      bool           `json:"drift"`     //
	MaxOffset  string         `json:"maxOffset"` // of the clocks, from the store's
	Store      *Store         `json:"store"`     // null: nothing is known of it
	Failing    []Trouble      `json:"failing"`   // jobs whose last run went wrong, the latest first; at most 20
	Stale      bool           `json:"stale"`     // the store gives no answer: this is, in part, what this replica remembers
	Readiness  []string       `json:"notReady"`  // why this replica cannot run jobs
	Strip      Strip          `json:"strip"`
	Dev        bool           `json:"dev,omitempty" doc:"It is the trial cluster of scheduler dev, whose replicas can be made to crash."`
}

// Strip is whether all is well, in one line.
type Strip struct {
	Environment      webpage.Environment `json:"environment" doc:"What the page calls this place."`
	ReplicasReady    int                 `json:"replicasReady" doc:"That live and take new work."`
	ReplicasTotal    int                 `json:"replicasTotal" doc:"That live."`
	StoreAnswers     bool                `json:"storeAnswers"`
	StoreSeconds     *float64            `json:"storeSeconds" doc:"That the lease store took for its last answer to this replica; null: it has given none."`
	Revision         string              `json:"revision,omitempty" doc:"Of the configuration of this replica."`
	InSync           bool                `json:"inSync" doc:"No replica has another configuration."`
	MaxOffsetSeconds float64             `json:"maxOffsetSeconds" doc:"Of the clocks, from the store's."`
	LeasesHeld       int                 `json:"leasesHeld"`
}

// Trouble is a job whose last run went wrong.
type Trouble struct {
	Job string  `json:"job"`
	Run Outcome `json:"run"`
}

const maxTroubles = 20

// glanceAge is for how long one glance at the cluster serves all: it looks at every
// job, and pages ask for it all the time.
const glanceAge = time.Second

// cluster answers GET /cluster. It has an answer whatever the store does.
func (a *API) cluster(ctx context.Context, _ *struct{}) (*body[Cluster], error) {
	return answer(a.past.cluster.get(glanceAge, func() Cluster { return a.glance(context.WithoutCancel(ctx)) })), nil
}

// glance looks at the cluster.
func (a *API) glance(ctx context.Context) Cluster {
	views, stale := a.view(ctx, a.Engine.Jobs())
	out := Cluster{
		ServerTime: a.Now().UTC(), Jobs: len(views), States: map[string]int{}, Replicas: []Replica{}, Revisions: map[string]int{},
		Failing: troubles(views), Stale: stale, Readiness: []string{}, Dev: a.Crasher != nil,
	}
	for i := range views {
		out.States[views[i].State]++
	}
	if list, err := a.roll(ctx); err == nil {
		out.Replicas, out.Revisions, out.Drift, out.Stale = list.Items, list.Revisions, list.Drift, out.Stale || list.Stale
	} else {
		out.Stale = true
	}
	out.MaxOffset = largest(out.Replicas).String()
	reading, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	open, err := a.open(reading, "")
	if open, stale, err = a.past.open.or(open, err); err != nil || stale {
		out.Stale = true
	}
	for i := range open {
		if open[i].Status == "running" {
			out.Running++
		} else {
			out.Waiting++
		}
	}
	if a.Store != nil {
		s := a.Store()
		out.Store = &s
	}
	if l := a.loaded(); l != nil {
		out.Namespace = l.Namespace
	}
	if err := a.Ready(); err != nil {
		out.Readiness = reasonsOf(err)
	}
	out.Strip = a.strip(&out, views)
	return out
}

// strip sums up a glance.
func (a *API) strip(c *Cluster, views []view) Strip {
	s := Strip{
		Environment: a.environment(), ReplicasTotal: len(c.Replicas), StoreAnswers: !c.Stale, StoreSeconds: a.past.latency.Load(),
		InSync: !c.Drift, MaxOffsetSeconds: largest(c.Replicas).Seconds(), LeasesHeld: a.held(views),
	}
	for i := range c.Replicas {
		s.ReplicasReady += b2i(c.Replicas[i].State == replicaLive)
	}
	if c.Store != nil {
		s.StoreAnswers = c.Store.Answers
	}
	if l := a.loaded(); l != nil {
		s.Revision = l.Revision
	}
	return s
}

// held counts the leases that are held, as they were when the jobs were looked at.
func (a *API) held(views []view) int {
	names := make([]string, len(views))
	for i := range views {
		names[i] = views[i].Status.Job
	}
	records, _, _ := a.past.leases(names, nil)
	n := 0
	for i := range records {
		n += b2i(leaseOf(names[i], &records[i]).Held)
	}
	return n
}

// troubles are the failing jobs, the latest first.
func troubles(views []view) []Trouble {
	list := []Trouble{}
	for i := range views {
		v := &views[i]
		if v.State != JobFailing {
			continue
		}
		run := v.LastRun
		if len(v.Recent) > 0 && (run == nil || v.Recent[0].Status == "missed") {
			run = &v.Recent[0]
		}
		list = append(list, Trouble{v.Status.Job, *run})
	}
	slices.SortFunc(list, func(x, y Trouble) int { return y.Run.Ended.Compare(x.Run.Ended) })
	return list[:min(len(list), maxTroubles)]
}

// largest is how far the clock of any replica is from the store's.
func largest(list []Replica) time.Duration {
	var most time.Duration
	for _, r := range list {
		if d, err := time.ParseDuration(r.ClockOffset); err == nil {
			most = max(most, d.Abs())
		}
	}
	return most
}
