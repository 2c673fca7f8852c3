// Package prometheus holds the alert and recording rules for Solocron, as they are
// loaded into a Prometheus or written into a PrometheusRule.
package prometheus

import "embed"

// Files is alerts.yaml and recording.yaml.
//
//go:embed alerts.yaml recording.yaml
var Files embed.FS
