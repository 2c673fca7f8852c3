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
	run  string
	told bool // that the run has ended, and how, is of interest
	at   journal.Cursor
	done bool // all was read
	cut  bool // something that is wanted is not there, or left out
	text tape
}

// newTailing begins before the offset that is wanted: it may lie in the middle of a
// chunk, which is found by where it begins.
func newTailing(a *API, w http.ResponseWriter, run string, x *excerpt) *tailing {
	return &tailing{
		api: a, run: run, told: x.events, at: journal.Cursor(max(0, x.offset-journal.MaxChunk)),
		text: tape{to: newPaper(w, x), only: x.attempt, since: x.since, reached: x.offset},
	}
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
	t.text.to.begin(t.cuts(chunks))
	return t.write(chunks)
}

// cuts reports whether something of what is wanted comes before chunks, or is left out.
func (t *tailing) cuts(chunks []journal.Chunk) bool {
	for _, c := range chunks {
		if c.End() > t.text.reached {
			return t.cut || c.Offset > t.text.reached
		}
	}
	return t.cut
}

// last reads on to the end of what is there and returns the chunks that hold the last
// lines. What comes before them is left out without a remark.
func (t *tailing) last(ctx context.Context, chunks []journal.Chunk, lines int) ([]journal.Chunk, error) {
	var kept []journal.Chunk
	held := 0
	for len(chunks) > 0 {
		for _, c := range chunks {
			if t.text.passes(c) {
				continue
			}
			kept, held = append(kept, c), held+t.text.lines(c)
			for held-t.text.lines(kept[0]) >= lines {
				held -= t.text.lines(kept[0])
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
		skip := max(0, held-lines)
		t.cut = kept[0].Offset > t.text.reached || skip > 0
		t.text.begin(kept[0], skip)
	}
	return kept, nil
}

// follow writes what comes; unless it is to go on, until no more is there.
func (t *tailing) follow(ctx context.Context, on bool) {
	for looks := 1; !t.done; looks++ {
		// Whether it has ended is asked before its output is read: then that is all.
		ended := on && looks%rowEvery == 0 && t.ended(ctx)
		chunks, err := t.read(ctx)
		if err != nil {
			t.text.to.bye(byeStore)
			return
		}
		if t.write(chunks) != nil {
			return
		}
		if len(chunks) > 0 || t.done {
			continue
		}
		if ended || !on {
			break
		}
		if why := t.pause(ctx); why != "" {
			t.text.to.bye(why)
			return
		}
	}
	status := ""
	if t.told {
		status = t.outcome(ctx, on)
	}
	t.text.end(int64(t.at), status)
}

// maxOutcome is how many looks it may take after the last line of a run until it has
// ended.
const maxOutcome = 20

// outcome is how the run stands now that all was read; of one that was followed, how it
// ended, unless that takes too long.
func (t *tailing) outcome(ctx context.Context, on bool) string {
	for looks := 1; ; looks++ {
		finding, cancel := context.WithTimeout(ctx, readLimit)
		row, known, err := t.api.look(finding, t.run)
		cancel()
		switch {
		case err != nil || !known:
			return ""
		case !on || row.State == scheduler.RunEnded || looks == maxOutcome || t.pause(ctx) != "":
			return statusOf(&row)
		}
	}
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

// pause waits for more; it returns why there is no more to wait for, if so.
func (t *tailing) pause(ctx context.Context) farewell {
	timer := time.NewTimer(followPause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return byeTime
	case <-t.api.closing:
		return byeDraining
	case <-timer.C:
		return ""
	}
}

// write sends chunks at once.
func (t *tailing) write(chunks []journal.Chunk) error {
	for _, c := range chunks {
		if err := t.text.chunk(c); err != nil {
			return err
		}
	}
	return t.text.to.flush()
}
