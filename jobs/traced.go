package jobs

import "context"

// Traced returns r with the trace that each of its runs belongs to: parent answers a
// W3C traceparent, or "" for a run that is not traced. Processes find it in the
// environment variable TRACEPARENT, HTTP servers in the header of that name, and
// functions in Run.TraceParent.
func Traced(r Runner, parent func(Run) string) Runner { return &traced{r, parent} }

type traced struct {
	Runner
	parent func(Run) string
}

// Run runs the work in its trace.
func (t *traced) Run(ctx context.Context, run Run) error {
	if run.TraceParent = t.parent(run); run.TraceParent != "" {
		ctx = NewContext(ctx, &run)
	}
	return t.Runner.Run(ctx, run)
}

// plain is r without what stands in front of it: what a runner is, not what is
// told of it.
func plain(r Runner) Runner {
	if t, ok := r.(*traced); ok {
		return plain(t.Runner)
	}
	return r
}
