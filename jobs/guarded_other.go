//go:build !linux

package jobs

import (
	"errors"
	"fmt"
	"os/exec"
	"time"
)

func startGuarded([]string, *exec.Cmd, Exec, func() time.Duration) (process, error) {
	return nil, fmt.Errorf("guard: %w", errors.ErrUnsupported)
}
