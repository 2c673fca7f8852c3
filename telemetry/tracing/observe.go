package tracing

import (
	"cmp"
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/solocron/solocron/scheduler"
)

// Observe makes the spans that e ends.
func (t *Tracer) Observe(e scheduler.Event) {
	if t == nil || e.Tick.Job == "" || e.Tick.At.IsZero() {
		return
	}
	switch e.Phase {
	case scheduler.Started, scheduler.Yielded, scheduler.Retried, scheduler.Ended:
	case scheduler.Waiting, scheduler.Output, scheduler.Noted, scheduler.Overran:
		return // many, and within a span that its end makes
	}
	id := traceOf(e.Tick)
	if !t.samples(id) {
		return
	}
	switch e.Phase {
	case scheduler.Started, scheduler.Yielded:
		t.claim(id, e)
	case scheduler.Retried:
		t.run(id, e)
	case scheduler.Ended:
		if ranHere(e) {
			t.run(id, e)
		}
		if !e.Echo { // else whoever speaks for the tick makes its span
			t.tick(id, e)
		}
	}
}

// ranHere reports whether e ends a run of this replica, not one that it found.
func ranHere(e scheduler.Event) bool { return e.Run.ID != "" && e.Run.Replica == e.Replica }

// claim is the time from the moment a tick could be taken to the moment that it was
// clear who has it: this replica, or another.
func (t *Tracer) claim(id trace.TraceID, e scheduler.Event) {
	began, outcome := e.At.Add(-e.Delay), "granted"
	if e.Phase == scheduler.Yielded {
		began, outcome = e.Tick.At, "yielded"
	}
	attrs := append(about(e), attribute.String("solocron.outcome", outcome))
	if e.Phase == scheduler.Yielded && e.By != "" {
		attrs = append(attrs, attribute.String("solocron.holder", e.By))
	}
	t.child(id, trace.SpanID{}, "claim "+e.Tick.Job, began, e.At, attrs, nil)
}

// run is the time that an attempt took.
func (t *Tracer) run(id trace.TraceID, e scheduler.Event) {
	t.child(id, runSpan(e.Run), "run "+e.Tick.Job, e.At.Add(-e.Took), e.At, append(about(e), ending(e)...), failure(e))
}

// tick is the time from the moment of a tick to its verdict.
func (t *Tracer) tick(id trace.TraceID, e scheduler.Event) {
	ctx := context.WithValue(context.Background(), identityKey{}, identity{id, tickSpan(id)})
	_, span := t.tracer.Start(ctx, "tick "+e.Tick.Job, trace.WithNewRoot(),
		trace.WithTimestamp(notAfter(e.Tick.At, e.At)), trace.WithAttributes(append(about(e), ending(e)...)...))
	end(span, e.At, failure(e))
}

// child makes a span below that of the tick.
func (t *Tracer) child(id trace.TraceID, own trace.SpanID, name string, began, ended time.Time, attrs []attribute.KeyValue, failed error) {
	parent := trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: tickSpan(id), TraceFlags: trace.FlagsSampled, Remote: true})
	ctx := context.WithValue(trace.ContextWithRemoteSpanContext(context.Background(), parent), identityKey{}, identity{id, own})
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(notAfter(began, ended)), trace.WithAttributes(attrs...))
	end(span, ended, failed)
}

// notAfter is began, or ended if the clock was set back in between.
func notAfter(began, ended time.Time) time.Time {
	if began.After(ended) {
		return ended
	}
	return began
}

func end(span trace.Span, at time.Time, failed error) {
	if failed != nil {
		span.SetStatus(codes.Error, cut(failed.Error()))
	}
	span.End(trace.WithTimestamp(at))
}

// maxStatus is how many bytes of an error a span carries.
const maxStatus = 256

func cut(text string) string {
	if len(text) > maxStatus {
		text = text[:maxStatus]
	}
	return strings.ToValidUTF8(text, "")
}

// about is what all spans of a tick say.
func about(e scheduler.Event) []attribute.KeyValue {
	attrs := []attribute.KeyValue{
		attribute.String("solocron.job", e.Tick.Job),
		attribute.String("solocron.tick", e.Tick.At.UTC().Format(time.RFC3339)),
		attribute.String("solocron.replica", e.Replica),
	}
	if e.Tick.Manual {
		attrs = append(attrs, attribute.String("solocron.cause", string(cmp.Or(e.Tick.Cause, scheduler.ByHand))))
	}
	if e.Run.ID != "" {
		attrs = append(attrs, attribute.String("solocron.run", e.Run.ID),
			attribute.Int64("solocron.token", e.Run.Token), attribute.Int("solocron.attempt", e.Run.Attempt))
	}
	return attrs
}

// ending is what the spans say that a verdict ends.
func ending(e scheduler.Event) []attribute.KeyValue {
	attrs := []attribute.KeyValue{attribute.String("solocron.verdict", string(e.Verdict))}
	if e.Reason != "" {
		attrs = append(attrs, attribute.String("solocron.reason", string(e.Reason)))
	}
	return attrs
}

// verdictError is a verdict that somebody should look at, as an error.
type verdictError struct{ verdict scheduler.Verdict }

func (v verdictError) Error() string { return string(v.verdict) }

// failure is what went wrong; nil: nothing did, or somebody wished it so.
func failure(e scheduler.Event) error {
	switch e.Verdict {
	case scheduler.Failed, scheduler.TimedOut, scheduler.LeaseLost, scheduler.Missed:
	case scheduler.Succeeded, scheduler.Cancelled, scheduler.Interrupted, scheduler.Skipped:
		return nil
	}
	if e.Err != nil {
		return e.Err
	}
	return verdictError{e.Verdict}
}
