package telemetry

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// maxLogText is how many bytes of an error or note of a job one line carries.
const maxLogText = 4096

// maxLogStack is how many bytes of a goroutine's stack one line carries.
const maxLogStack = 16 << 10

// NewLog returns an observer that writes a line to l for each event. Every
// line of a run carries job, tick, run, token, attempt and replica, so that
// the lines of one run, and two runs at once, can be found in any heap of logs.
// Ticks that wait for a store make a few lines every few seconds, together.
func NewLog(l *slog.Logger) scheduler.Observer {
	h := l.Handler()
	waits := &throttle{limit: waitLines, window: waitWindow}
	return scheduler.ObserverFunc(func(e scheduler.Event) {
		ctx := context.Background()
		level := levelOf(e)
		if !h.Enabled(ctx, level) {
			return
		}
		attrs := attrsOf(e)
		if e.Phase == scheduler.Waiting && level >= slog.LevelWarn && !notice(e) {
			ok, dropped := waits.allow(time.Now())
			if !ok {
				return
			}
			if dropped > 0 {
				attrs = append(attrs, slog.Int("lines_left_out", dropped))
			}
		}
		l.LogAttrs(ctx, level, messageOf(e), attrs...)
	})
}

// levelOf says how loud e is: debug for what is normal on every replica but
// one, info for what went as it should, warn for what was not run on purpose
// or was cut short on purpose, error for what somebody should look at.
func levelOf(e scheduler.Event) slog.Level {
	switch e.Phase {
	case scheduler.Yielded:
		return slog.LevelDebug
	case scheduler.Waiting:
		if e.Err == nil && !notice(e) {
			return slog.LevelDebug // asked again in a moment, by the rules
		}
		return slog.LevelWarn
	case scheduler.Retried:
		return slog.LevelWarn
	case scheduler.Overran:
		return slog.LevelError
	case scheduler.Ended:
		return levelOfVerdict(e.Verdict, e.Reason)
	case scheduler.Started, scheduler.Output, scheduler.Noted:
	}
	return slog.LevelInfo
}

// notice reports whether e only says something: nothing waits, and nothing is
// tried again.
func notice(e scheduler.Event) bool {
	return e.Phase == scheduler.Waiting && e.Err == nil && e.Retry == 0 && e.By == ""
}

func levelOfVerdict(v scheduler.Verdict, r scheduler.Reason) slog.Level {
	switch v {
	case scheduler.Succeeded:
		return slog.LevelInfo
	case scheduler.Skipped:
		switch r {
		case scheduler.ReasonPaused, scheduler.ReasonExcluded, scheduler.ReasonShadow:
			return slog.LevelInfo // somebody wished it so
		}
		return slog.LevelWarn
	case scheduler.Cancelled, scheduler.Interrupted:
		if r == scheduler.ReasonReplaced {
			return slog.LevelInfo // the job's policy wants it so
		}
		return slog.LevelWarn
	case scheduler.Failed, scheduler.TimedOut, scheduler.LeaseLost, scheduler.Missed:
	}
	return slog.LevelError
}

func messageOf(e scheduler.Event) string {
	switch e.Phase {
	case scheduler.Started:
		return "run started"
	case scheduler.Yielded:
		return "tick is another replica's"
	case scheduler.Retried:
		return "run is retried"
	case scheduler.Waiting:
		return waitingMessage(e)
	case scheduler.Output:
		return "run output"
	case scheduler.Noted:
		return "run progress"
	case scheduler.Overran:
		return "run goes on although its lease has ended"
	case scheduler.Ended:
		switch {
		case e.Run.ID != "":
			return "run " + string(e.Verdict)
		case e.Tick.Manual:
			return "request " + string(e.Verdict)
		}
		return "tick " + string(e.Verdict)
	}
	return string(e.Phase)
}

func waitingMessage(e scheduler.Event) string {
	switch {
	case notice(e):
		return "notice"
	case e.Tick.Job == "":
		return "replica waits"
	case e.Tick.Manual:
		return "request waits"
	}
	return "tick waits"
}

// attrsOf returns what a line says about e. What has no value is left out;
// echo says that another replica gives the tick its verdict.
func attrsOf(e scheduler.Event) []slog.Attr {
	attrs := make([]slog.Attr, 0, 16)
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, cut(value, maxLogText)))
		}
	}
	span := func(key string, d time.Duration) {
		if d != 0 {
			attrs = append(attrs, slog.String(key, d.Round(time.Microsecond).String()))
		}
	}
	text("job", e.Tick.Job)
	if !e.Tick.At.IsZero() {
		attrs = append(attrs, slog.String("tick", e.Tick.At.UTC().Format(time.RFC3339)))
	}
	switch {
	case e.Run.ID != "":
		attrs = append(attrs, slog.String("run", e.Run.ID),
			slog.Int64("token", e.Run.Token), slog.Int("attempt", e.Run.Attempt))
	case e.Tick.Manual:
		text("run", e.Tick.ID()) // of a request that was not run
	}
	text("replica", e.Replica)
	if e.Tick.Manual {
		text("cause", string(cmp.Or(e.Tick.Cause, scheduler.ByHand)))
		text("requested_by", e.Tick.By)
	}
	text("verdict", string(e.Verdict))
	text("reason", string(e.Reason))
	if e.More {
		attrs = append(attrs, slog.Bool("older_ticks_too", true))
	}
	if e.Echo {
		attrs = append(attrs, slog.Bool("echo", true))
	}
	span("delay", e.Delay)
	span("took", e.Took)
	span("retry", e.Retry)
	if e.Used != nil {
		attrs = append(attrs, slog.String("cpu", (e.Used.User+e.Used.System).Round(time.Millisecond).String()),
			slog.Int64("max_rss_bytes", e.Used.MaxRSS))
	}
	text("by", e.By)
	text("stream", e.Stream)
	switch e.Phase {
	case scheduler.Output:
		text("line", e.Note)
	case scheduler.Overran:
		if e.Note != "" {
			attrs = append(attrs, slog.String("stack", cut(e.Note, maxLogStack)))
		}
	default:
		text("note", e.Note)
	}
	if e.Err != nil {
		text("err", e.Err.Error())
	}
	return attrs
}

// cut shortens s to at most n bytes and says so.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "… (cut)"
}
