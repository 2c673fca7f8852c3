package admin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// tailing is one answer with the output of one run.
type tailing struct {
	api  *API
	w    http.ResponseWriter
	run  string
	at   journal.Cursor
	done bool // all was read
	text tape
}

// open makes sure that there is such a run, reads its first output, or that of its
// last lines if these are wanted, and begins the answer.
func (t *tailing) open(ctx context.Context, lines int) error {
	finding, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	if _, err := t.api.find(finding, t.run); err != nil {
		return err
	}
	chunks, err := t.read(finding)
	if err == nil && lines > 0 {
		chunks, err = t.last(finding, chunks, lines)
	}
	if err != nil {
		return silent(err)
	}
	h := t.w.Header()
	if len(chunks) > 0 && chunks[0].Offset > 0 || t.text.skip > 0 {
		h.Set("Log-Truncated", "true")
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	t.w.WriteHeader(http.StatusOK)
	return t.write(chunks)
}

// last reads on to the end of what is there and returns the chunks that hold the last
// lines. What comes before them is left out without a remark.
func (t *tailing) last(ctx context.Context, chunks []journal.Chunk, lines int) ([]journal.Chunk, error) {
	var kept []journal.Chunk
	held := 0
	for len(chunks) > 0 {
		for _, c := range chunks {
			if t.text.only != 0 && c.Attempt() != t.text.only {
				continue
			}
			kept, held = append(kept, c), held+linesOf(c)
			for held-linesOf(kept[0]) >= lines {
				held -= linesOf(kept[0])
				kept = kept[1:]
			}
		}
		if t.done {
			break
		}
		var err error
		if chunks, err = t.read(ctx); err != nil {
			return nil, err
		}
	}
	if len(kept) > 0 {
		t.text.reached, t.text.attempt, t.text.skip = kept[0].Offset, kept[0].Attempt(), max(0, held-lines)
	}
	return kept, nil
}

// linesOf counts the lines that end in c.
func linesOf(c journal.Chunk) int {
	n := 0
	for _, l := range c.Lines() {
		n += b2i(!l.Open)
	}
	return n
}

// follow writes what comes; unless it is to go on, until no more is there.
func (t *tailing) follow(ctx context.Context, on bool) {
	for looks := 1; !t.done; looks++ {
		// Whether it has ended is asked before its output is read: then that is all.
		ended := on && looks%rowEvery == 0 && t.ended(ctx)
		chunks, err := t.read(ctx)
		if err != nil {
			t.text.remark("the output could not be read any further: the store gave no answer")
			return
		}
		if t.write(chunks) != nil {
			return
		}
		if len(chunks) > 0 || t.done {
			continue
		}
		if ended || !on || !t.pause(ctx) {
			break
		}
	}
	t.text.end(int64(t.at))
}

// read returns the next chunks.
func (t *tailing) read(ctx context.Context) ([]journal.Chunk, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	chunks, next, done, err := t.api.Memory.Output.Read(ctx, t.run, t.at, 0)
	if err != nil {
		return nil, err
	}
	t.at, t.done = next, done
	return chunks, nil
}

// ended reports whether the run has surely ended.
func (t *tailing) ended(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	row, err := t.api.find(ctx, t.run)
	if p, ok := errors.AsType[*problemError](err); ok && p.Status == http.StatusNotFound {
		return true // forgotten meanwhile
	}
	return err == nil && row.State == scheduler.RunEnded
}

// pause waits for more; false if the client, the time or this replica is at its end.
func (t *tailing) pause(ctx context.Context) bool {
	timer := time.NewTimer(followPause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.api.closing:
		t.text.remark("this replica shuts down: ask another one for the rest")
		return false
	case <-timer.C:
		return true
	}
}

// write sends chunks at once. The time-outs of the server are for answers that
// are short, so they are moved with each piece.
func (t *tailing) write(chunks []journal.Chunk) error {
	control := http.NewResponseController(t.w)
	err := errors.Join(supported(control.SetReadDeadline(time.Time{})), supported(control.SetWriteDeadline(time.Now().Add(writeLimit))))
	for _, c := range chunks {
		err = errors.Join(err, t.text.chunk(c))
	}
	return errors.Join(err, supported(control.Flush()))
}

// supported forgives a writer, such as one of a test, that cannot do it.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
