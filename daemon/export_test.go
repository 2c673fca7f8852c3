package daemon

import (
	"context"
	"log/slog"
)

// Teardown lets tests see in which order steps are undone.
type Teardown struct{ t teardown }

func NewTeardown() *Teardown { return &Teardown{teardown{log: slog.New(slog.DiscardHandler)}} }

func (t *Teardown) Push(name string, do func(context.Context) error) { t.t.push(name, do) }
func (t *Teardown) Run() error                                       { return t.t.run() }

// CloseListener takes the listener of d away, as a fault would.
func CloseListener(d *Daemon) error { return d.doors[0].listener.Close() }

// JudgeFiles judges a limit of open files; ZoneVersion reads that of zone data.
var (
	JudgeFiles  = judgeFiles
	ZoneVersion = zoneVersion
	Termination = termination
)
