package cli

import (
	"io"
	"os"
)

// Terminal reports whether w, a writer or reader, is a terminal: a character device
// that is not the one that is always empty.
func Terminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// The colours of words, as terminals know them.
const (
	plainText = ""
	green     = "\x1b[32m"
	red       = "\x1b[31m"
	yellow    = "\x1b[33m"
	blue      = "\x1b[34m"
	endColor  = "\x1b[0m"
)

// colorOf is the colour of a word about how a job, run or replica stands. The word is
// there, too: colour alone tells nobody anything.
func colorOf(word string) string {
	switch word {
	case "ok", "succeeded", "live", "open", "healthy":
		return green
	case "failing", "failed", "timed_out", "lost", "missed", "unhealthy":
		return red
	case "paused", "suspended", "skipped", "cancelled", "interrupted", "retrying", "draining":
		return yellow
	case "running", "queued", "claimed":
		return blue
	}
	return plainText
}

// paint writes text in the colour of the word that it begins with.
func paint(w io.Writer, text, word string) error {
	code := colorOf(word)
	if code == plainText {
		_, err := io.WriteString(w, text)
		return err
	}
	_, err := io.WriteString(w, code+text+endColor)
	return err
}
