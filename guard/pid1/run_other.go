//go:build !linux

package pid1

import "errors"

// Needed reports whether this process is the first of its container.
func Needed() bool { return false }

// Run is for Linux only.
func Run(string, []string) (int, error) { return 0, errors.ErrUnsupported }
