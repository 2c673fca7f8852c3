package admin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/solocron/solocron/scheduler"
)

type jobsInput struct {
	LabelSelector string `query:"labelSelector" maxLength:"500" doc:"Such as team=billing,!legacy." example:"team=billing"`
	Status        string `query:"status" enum:"suspended,paused,running,failing,ok,idle" doc:"How jobs stand: their state."`
	Q             string `query:"q" maxLength:"200" doc:"Text in the name, kind, schedule or owner."`
	Sort          string `query:"sort" enum:"name,-name,nextRun,-nextRun,lastRun,-lastRun" default:"name" doc:"A minus: the other way round."`
	PageSize      int    `query:"pageSize" minimum:"1" maximum:"500" default:"100"`
	PageToken     string `query:"pageToken" doc:"What nextPageToken said."`
}

// listJobs answers GET /jobs.
func (a *API) listJobs(ctx context.Context, in *jobsInput) (*body[Jobs], error) {
	labels, err := readSelector(in.LabelSelector)
	if err != nil {
		return nil, err
	}
	var after rank
	if err := readToken(in.PageToken, &after); err != nil {
		return nil, err
	}
	if in.PageToken != "" && after.Sort != in.Sort {
		return nil, notValid("query.pageToken", "is of a list in another order", in.PageToken)
	}
	list := slices.DeleteFunc(a.Engine.Jobs(), func(s scheduler.Status) bool { return !labels.covers(s.Labels) || !mentions(&s, in.Q) })
	if in.Status == "" && !strings.HasSuffix(in.Sort, "lastRun") { // what jobs are defined to be is enough to choose some
		part, next := page(list, in, after, rankOf)
		views, stale := a.view(ctx, part)
		a.foresee(views)
		return answer(Jobs{Items: jobsOf(views), NextPageToken: next, Stale: stale}), nil
	}
	views, stale := a.view(ctx, list)
	if in.Status != "" {
		views = slices.DeleteFunc(views, func(v view) bool { return v.State != in.Status })
	}
	part, next := page(views, in, after, rankOfView)
	a.foresee(part)
	return answer(Jobs{Items: jobsOf(part), NextPageToken: next, Stale: stale}), nil
}

func jobsOf(views []view) []Job {
	items := make([]Job, len(views))
	for i := range views {
		items[i] = views[i].Job
	}
	return items
}

// mentions reports whether a job has text in what people search.
func mentions(s *scheduler.Status, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{s.Job, s.Kind, s.Schedule, s.Owner}, func(in string) bool {
		return strings.Contains(strings.ToLower(in), text)
	})
}

// rank is the place of a job in a list. Jobs that appear or vanish between two pages
// move no other job into or out of a page.
type rank struct {
	Sort string `json:"s"`
	None bool   `json:"n,omitempty"` // there is no moment: last, in either direction
	At   int64  `json:"a,omitempty"` // moment, in nanoseconds since 1970
	Name string `json:"j"`
}

func (r rank) compare(x rank) int {
	at, name := cmp.Compare(r.At, x.At), strings.Compare(r.Name, x.Name)
	if strings.HasPrefix(r.Sort, "-") {
		at = -at
		if r.Sort == "-name" {
			name = -name
		}
	}
	return cmp.Or(b2i(r.None)-b2i(x.None), at, name)
}

func rankOf(s *scheduler.Status, sort string) rank {
	r := rank{Sort: sort, Name: s.Job}
	if strings.HasSuffix(sort, "nextRun") {
		if r.None = s.Next == nil; !r.None {
			r.At = s.Next.UnixNano()
		}
	}
	return r
}

func rankOfView(v *view, sort string) rank {
	r := rankOf(&v.Status, sort)
	if strings.HasSuffix(sort, "lastRun") {
		if r.None = v.LastRun == nil; !r.None {
			r.At = v.LastRun.Ended.UnixNano()
		}
	}
	return r
}

// page sorts list and returns a part of it, with the token of the next.
func page[T any](list []T, in *jobsInput, after rank, of func(*T, string) rank) (part []T, next string) {
	slices.SortFunc(list, func(x, y T) int { return of(&x, in.Sort).compare(of(&y, in.Sort)) })
	from := 0
	if in.PageToken != "" {
		at, found := slices.BinarySearchFunc(list, after, func(x T, r rank) int { return of(&x, in.Sort).compare(r) })
		from = at + b2i(found)
	}
	part = list[from:min(from+in.PageSize, len(list))]
	if from+in.PageSize < len(list) {
		next = token(of(&part[len(part)-1], in.Sort))
	}
	return part, next
}
