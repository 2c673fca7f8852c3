package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/solocron/solocron/config"
)

// exportTry is how long one request to the receiver may take, and exportPatience
// for how long it is repeated.
const (
	exportTry      = 5 * time.Second
	exportPatience = 20 * time.Second
)

// Open returns a Tracer that sends to the receiver of cfg, as the replica of that
// name and program of that version; nil if cfg names none. It asks the receiver
// nothing: one that is away is told of in the log, and delays no run. The error
// is about the headers: a secret that cannot be read.
func Open(cfg *config.Config, replica, version string, log *slog.Logger) (*Tracer, error) {
	c := cfg.Tracing
	if c.Endpoint == "" {
		return nil, nil //nolint:nilnil // a nil Tracer traces nothing
	}
	headers := make(map[string]string, len(c.Headers))
	for name, secret := range c.Headers {
		value, err := secret.Value()
		if err != nil {
			return nil, fmt.Errorf("tracing.headers.%s: %w", name, err)
		}
		headers[name] = value
	}
	exporter, err := otlptracehttp.New(context.Background(),
		otlptracehttp.WithEndpointURL(c.Endpoint), otlptracehttp.WithHeaders(headers), otlptracehttp.WithTimeout(exportTry),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: exportTry, MaxElapsedTime: exportPatience,
		}),
	)
	if err != nil {
		return nil, fmt.Errorf("tracing.endpoint: %w", err)
	}
	return New(Config{
		Exporter: &frank{SpanExporter: exporter, log: log}, SampleRatio: c.SampleRatio,
		Replica: replica, Namespace: cfg.Namespace, Version: version,
	}), nil
}

// frank is an exporter that says once when spans do not arrive, and once when they
// do again.
type frank struct {
	sdk.SpanExporter
	log  *slog.Logger
	away atomic.Bool
}

// ExportSpans sends spans. What becomes of them is in the log: nobody else is to know.
func (f *frank) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := f.SpanExporter.ExportSpans(ctx, spans)
	if changed := f.away.Swap(err != nil) != (err != nil); !changed {
		return nil
	}
	if err != nil {
		f.log.Warn("spans do not arrive at tracing.endpoint; runs are not delayed", "spans", len(spans), "err", err)
		return nil
	}
	f.log.Info("spans arrive at tracing.endpoint again")
	return nil
}
