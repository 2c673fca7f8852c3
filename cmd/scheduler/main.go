package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // from then on a second signal ends the process at once
	root := newRoot(os.Stdout, os.Stderr)
	root.SetArgs(os.Args[1:])
	os.Exit(exitCode(root.ExecuteContext(ctx), os.Stderr))
}
