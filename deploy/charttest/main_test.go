package charttest_test

import (
	"fmt"
	"os"
	"testing"
)

// buildDir names the variable that says where program builds.
const buildDir = "CHARTTEST_BUILD_DIR"

func TestMain(m *testing.M) { os.Exit(run(m)) }

// run gives the tests a place for the program, and takes it away with what is in it.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "charttest")
	if err == nil {
		err = os.Setenv(buildDir, dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
