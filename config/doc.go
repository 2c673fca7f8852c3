// Package config turns one YAML file into checked settings and jobs. It is
// strict: what it does not know is an error with a suggestion, and all faults
// of a file are reported together, each as file:line:col path message.
//
// Settings go through viper, so that SCHEDULER_* variables and flags can
// override them. Jobs never do: they are decoded from the YAML nodes, because
// a name, an environment variable or a label must arrive exactly as written.
//
// The package does not know how jobs run or where leases are kept.
package config
