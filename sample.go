// Package solocron holds the sample configuration, so that the binary carries
// it. The engine is package scheduler; the command is cmd/scheduler.
package solocron

import _ "embed"

// Sample is config.yaml: a configuration that works where it stands, with a
// Redis inside the process and a small database that it makes itself.
//
//go:embed config.yaml
var Sample []byte
