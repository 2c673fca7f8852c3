package cli

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/solocron/solocron/schedule"
)

// Wish is how somebody wants answers written, as flags say it; "" stands for what
// fits.
type Wish struct {
	Output    string
	Time      string // relative, iso or utc
	Zone      string // IANA name
	Color     string // auto, always or never
	NoHeaders bool
	Quiet     bool // no progress and no notes on stderr
}

// View writes answers: data to Out, the rest to Err.
type View struct {
	Out, Err io.Writer
	Format   Format
	Headers  bool
	Quiet    bool
	Live     bool // Err is a terminal: lines on it can be written over

	terminal bool // Out is one
	color    bool
	style    string
	zone     *time.Location // nil: that of each moment, or the local one for a clock
	now      func() time.Time
}

// View makes a wish come true. The error has the code Usage or BadConfig.
func (w Wish) View(out, errOut io.Writer, env func(string) string, now func() time.Time) (*View, error) {
	v := &View{
		Out: out, Err: errOut, Headers: !w.NoHeaders, Quiet: w.Quiet,
		Live: Terminal(errOut) && env("TERM") != "dumb", terminal: Terminal(out), now: now,
	}
	v.Format = Format(cmp.Or(w.Output, env("SOLOCRON_OUTPUT"), string(FormatTable)))
	if err := choose("-o", string(v.Format), Formats()); err != nil {
		return nil, err
	}
	v.style = w.Time
	if v.style == "" {
		if v.style = "iso"; v.terminal {
			v.style = "relative"
		}
	}
	if err := choose("--time", v.style, []string{"relative", "iso", "utc"}); err != nil {
		return nil, err
	}
	if zone := cmp.Or(w.Zone, env("SOLOCRON_TZ")); zone != "" {
		loc, err := schedule.LoadZone(zone)
		if err != nil {
			return nil, Exit(BadConfig, fmt.Errorf("--tz: %w", err))
		}
		v.zone = loc
	}
	wish := cmp.Or(w.Color, "auto")
	if err := choose("--color", wish, []string{"auto", "always", "never"}); err != nil {
		return nil, err
	}
	v.color = wish == "always" || wish == "auto" && v.terminal && env("NO_COLOR") == "" && env("TERM") != "dumb"
	return v, nil
}

// Terminal reports whether people look at the table, so that a summary helps.
func (v *View) Terminal() bool { return v.terminal }

// Note says something beside the data, unless v is quiet.
func (v *View) Note(format string, args ...any) {
	if !v.Quiet {
		fmt.Fprintln(v.Err, OneLine(fmt.Sprintf(format, args...)))
	}
}
