package admin

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"

	"github.com/solocron/solocron/scheduler"
)

// The sizes of a page of jobs.
const (
	defaultPage = 500
	maxPage     = 1000
)

// Job is a job, as the API shows it in a list.
type Job struct {
	scheduler.Status
	Paused *bool `json:"paused"` // its next tick is closed; null: that is not known now
}

// JobDetails is a job, as the API shows it alone.
type JobDetails struct {
	Job
	Gate     *Gate     `json:"gate"` // null: that is not known now
	Policies *Policies `json:"policies,omitempty"`
	Params   []Param   `json:"params,omitempty"`
}

// page is a part of a list. NextPageToken is empty at its end.
type page struct {
	Items         []Job  `json:"items"`
	NextPageToken string `json:"nextPageToken"`
}

// listJobs answers GET /api/v1/jobs?pageSize=&pageToken=.
func (a *API) listJobs(r *http.Request) (response, error) {
	size, after, err := pageOf(r)
	if err != nil {
		return response{}, err
	}
	all := a.Engine.Jobs()
	slices.SortFunc(all, func(x, y scheduler.Status) int { return cmp.Compare(x.Job, y.Job) })
	p := paginate(all, size, after)
	names := make([]string, len(p.Items))
	for i := range p.Items {
		names[i] = p.Items[i].Status.Job
	}
	for i, g := range a.gates(r, names) {
		p.Items[i].Paused = &g.Closed
	}
	return response{body: p}, nil
}

// pageOf reads which page r wants: how many jobs, after which name.
func pageOf(r *http.Request) (size int, after string, err error) {
	q := r.URL.Query()
	size = defaultPage
	if s := q.Get("pageSize"); s != "" {
		size, err = strconv.Atoi(s)
		if err != nil || size < 1 || size > maxPage {
			return 0, "", badRequest("pageSize is a number from 1 to " + strconv.Itoa(maxPage) + ".")
		}
	}
	name, err := base64.RawURLEncoding.DecodeString(q.Get("pageToken"))
	if err != nil {
		return 0, "", badRequest("pageToken is what nextPageToken said, unchanged.")
	}
	return size, string(name), nil
}

// paginate returns the size jobs of all, sorted by name, whose names follow after. Jobs that appear or
// vanish between two pages move no other job into or out of a page.
func paginate(all []scheduler.Status, size int, after string) page {
	from, found := slices.BinarySearchFunc(all, after, func(s scheduler.Status, name string) int {
		return cmp.Compare(s.Job, name)
	})
	if found {
		from++
	}
	part := all[from:min(from+size, len(all))]
	p := page{Items: make([]Job, len(part))}
	for i := range part {
		p.Items[i].Status = part[i]
	}
	if from+size < len(all) {
		p.NextPageToken = base64.RawURLEncoding.EncodeToString([]byte(part[len(part)-1].Job))
	}
	return p
}

// getJob answers GET /api/v1/jobs/{job}.
func (a *API) getJob(r *http.Request) (response, error) {
	name := r.PathValue("job")
	status, err := a.Engine.Job(name)
	if err != nil {
		return response{}, refusal(name, err)
	}
	d := JobDetails{Job: Job{Status: status}}
	for _, g := range a.gates(r, []string{name}) {
		shown := gateOf(g)
		d.Paused, d.Gate = &shown.Closed, &shown
	}
	if a.Define != nil {
		if job, known := a.Define(name); known {
			d.Policies, d.Params = policiesOf(job), paramsOf(job)
		}
	}
	return response{body: d}, nil
}
