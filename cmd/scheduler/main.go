package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/solocron/solocron/guard/pid1"
)

func main() {
	if pid1.Needed() { // in a container, nobody else buries orphans
		os.Exit(again())
	}
	root := newRoot(os.Stdout, os.Stderr)
	root.SetArgs(os.Args[1:])
	os.Exit(exitCode(root.ExecuteContext(untilSignal(context.Background())), os.Stderr))
}

// again runs this program once more and returns its exit code.
func again() int {
	self, err := os.Executable()
	if err == nil {
		var code int
		if code, err = pid1.Run(self, os.Args); err == nil {
			return code
		}
	}
	return exitCode(err, os.Stderr)
}

// untilSignal returns a context that ends with the first signal to stop. From then
// on a second one ends the process at once: nobody sees the context end before
// that is so.
func untilSignal(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		got := <-signals
		signal.Stop(signals)
		cancel(fmt.Errorf("signal: %s", got))
	}()
	return ctx
}
