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

// page is a part of a list. NextPageToken is empty at its end.
type page struct {
	Items         []scheduler.Status `json:"items"`
	NextPageToken string             `json:"nextPageToken"`
}

// listJobs answers GET /api/v1/jobs?pageSize=&pageToken=.
func (a *api) listJobs(r *http.Request) (response, error) {
	size, after, err := pageOf(r)
	if err != nil {
		return response{}, err
	}
	all := a.engine.Jobs()
	slices.SortFunc(all, func(x, y scheduler.Status) int { return cmp.Compare(x.Job, y.Job) })
	return response{body: paginate(all, size, after)}, nil
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
	items := all[from:min(from+size, len(all))]
	p := page{Items: items}
	if items == nil {
		p.Items = []scheduler.Status{}
	}
	if from+size < len(all) {
		p.NextPageToken = base64.RawURLEncoding.EncodeToString([]byte(items[len(items)-1].Job))
	}
	return p
}

// getJob answers GET /api/v1/jobs/{job}.
func (a *api) getJob(r *http.Request) (response, error) {
	name := r.PathValue("job")
	status, err := a.engine.Job(name)
	if err != nil {
		return response{}, refusal(name, err)
	}
	return response{body: status}, nil
}
