package tracing

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/scheduler"
)

// Config is how a Tracer behaves.
type Config struct {
	Exporter    sdk.SpanExporter // where spans go; needed
	SampleRatio float64          // of ticks that are traced, 0 to 1
	Replica     string           // this process
	Namespace   string           // of the configuration
	Version     string           // of the program
}

// Tracer makes spans of events. It is a [scheduler.Observer]. A nil *Tracer traces
// nothing, and costs nothing.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	sampler  sdk.Sampler
}

// New returns a Tracer that hands its spans to c.Exporter, in the background: more
// than 2,048 that wait are dropped.
func New(c Config) *Tracer {
	sampler := sdk.TraceIDRatioBased(c.SampleRatio)
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(c.Exporter),
		sdk.WithIDGenerator(ids{}),
		sdk.WithSampler(sampler),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "solocron"),
			attribute.String("service.namespace", c.Namespace),
			attribute.String("service.version", c.Version),
			attribute.String("service.instance.id", c.Replica),
		)),
	)
	return &Tracer{provider: provider, tracer: provider.Tracer("github.com/solocron/solocron"), sampler: sampler}
}

// Close sends what waits, until ctx ends, and ends the Tracer.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Runner returns r with its runs told their place in their trace.
func (t *Tracer) Runner(r jobs.Runner) jobs.Runner {
	if t == nil {
		return r
	}
	return jobs.Traced(r, t.Parent)
}

// Parent returns the place of run in its trace, as a W3C traceparent: what the run
// calls becomes a child of its span. It says whether the trace is recorded.
func (t *Tracer) Parent(run jobs.Run) string {
	if t == nil {
		return ""
	}
	id := traceOf(scheduler.Tick{Job: run.Job, At: run.Tick})
	return traceParent(id, runSpan(run), t.samples(id))
}

// samples reports whether a trace is recorded: the same on every replica with the
// same ratio.
func (t *Tracer) samples(id trace.TraceID) bool {
	return t.sampler.ShouldSample(sdk.SamplingParameters{TraceID: id}).Decision == sdk.RecordAndSample
}
