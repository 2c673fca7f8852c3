// Package telemetry turns what the engine and its store do into metrics and
// log lines: [Metrics] and the observer of [NewLog] look at events,
// [Metrics.WrapStore] looks at calls. Nothing here changes what happens, and
// nothing else of the program knows Prometheus.
package telemetry
