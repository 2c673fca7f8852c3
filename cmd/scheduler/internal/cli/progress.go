package cli

import (
	"fmt"
	"sync"
	"time"
)

const (
	quietFor = time.Second // before a wait is spoken of
	spinning = time.Second // between two looks at the clock
)

// Progress says on stderr what is waited for, once that takes over a second: on a
// terminal in a line that counts the seconds and then vanishes, elsewhere in a line
// for each change.
type Progress struct {
	view  *View
	live  bool // counts on a terminal
	mu    sync.Mutex
	what  string
	told  string
	since time.Time
	shown bool
	end   chan struct{}
	done  sync.WaitGroup
}

// Progress begins to say that what is waited for. Changes are said elsewhere than on a
// terminal, too. The caller ends it.
func (v *View) Progress(what string) *Progress {
	p := &Progress{view: v, live: v.Live && !v.Quiet, what: OneLine(what), since: time.Now(), end: make(chan struct{})}
	if p.live {
		p.done.Go(p.spin)
	}
	return p
}

// Set says what is waited for now.
func (p *Progress) Set(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = OneLine(what)
	if p.live || p.view.Quiet || p.what == p.told || time.Since(p.since) < quietFor {
		return
	}
	p.told = p.what
	fmt.Fprintf(p.view.Err, "%s\n", p.what)
}

// End ends it, and waits until nothing more is written.
func (p *Progress) End() {
	close(p.end)
	p.done.Wait()
	if p.shown {
		fmt.Fprint(p.view.Err, "\r\x1b[K")
	}
}

func (p *Progress) spin() {
	tick := time.NewTicker(spinning)
	defer tick.Stop()
	for {
		select {
		case <-p.end:
			return
		case <-tick.C:
		}
		p.mu.Lock()
		fmt.Fprintf(p.view.Err, "\r\x1b[K%s (%s)", Clip(p.what, 100), Span(time.Since(p.since)))
		p.shown = true
		p.mu.Unlock()
	}
}
