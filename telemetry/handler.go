package telemetry

import (
	"io"
	"log/slog"
	"os"
)

// The formats of a log.
const (
	FormatAuto = "auto" // text on a terminal, JSON otherwise
	FormatText = "text"
	FormatJSON = "json"
)

// NewHandler returns a handler that writes to w the records of level and
// above, in one of the formats; an unknown format is FormatAuto.
func NewHandler(w io.Writer, format string, level slog.Leveler) slog.Handler {
	o := &slog.HandlerOptions{Level: level}
	if format == FormatText || format != FormatJSON && isTerminal(w) {
		return slog.NewTextHandler(w, o)
	}
	return slog.NewJSONHandler(w, o)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
