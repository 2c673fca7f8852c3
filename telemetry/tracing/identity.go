package tracing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strconv"

	"go.opentelemetry.io/otel/trace"

	"github.com/solocron/solocron/internal/traceid"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// traceOf is the trace of a tick.
func traceOf(t scheduler.Tick) trace.TraceID { return traceid.Of(t.Job, t.At) }

// tickSpan is the span of the tick that a trace is about: the root of it.
func tickSpan(id trace.TraceID) trace.SpanID { return short("tick\x00" + string(id[:])) }

// runSpan is the span of an attempt at a run.
func runSpan(r jobs.Run) trace.SpanID {
	return short("run\x00" + r.ID + "\x00" + strconv.Itoa(r.Attempt))
}

func short(text string) trace.SpanID {
	sum := sha256.Sum256([]byte(text))
	return trace.SpanID(sum[:8])
}

// traceParent writes a place in a trace as the W3C does.
func traceParent(id trace.TraceID, span trace.SpanID, sampled bool) string {
	flags := "-00"
	if sampled {
		flags = "-01"
	}
	return "00-" + hex.EncodeToString(id[:]) + "-" + hex.EncodeToString(span[:]) + flags
}

// identity is what a span is to be called.
type identity struct {
	trace trace.TraceID
	span  trace.SpanID // zero: any
}

type identityKey struct{}

// ids calls spans what the context says.
type ids struct{}

// NewIDs is asked for the root of a trace.
func (ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, _ := ctx.Value(identityKey{}).(identity)
	return id.trace, orAny(id.span)
}

// NewSpanID is asked for all other spans.
func (ids) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	id, _ := ctx.Value(identityKey{}).(identity)
	return orAny(id.span)
}

// orAny is id, or a random one if it is zero.
func orAny(id trace.SpanID) trace.SpanID {
	for !id.IsValid() {
		n := rand.Uint64()
		for i := range id {
			id[i] = byte(n >> (8 * i))
		}
	}
	return id
}
