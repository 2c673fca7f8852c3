package redisjournal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/solocron/solocron/scheduler"
)

// The limits of one message.
const (
	maxTicks   = 2000
	maxID      = 300
	maxJob     = 512
	maxMessage = 4 << 20
	maxMillis  = 1<<53 - 1
)

// The kinds of message, its first byte.
const (
	kindStarted byte = 2
	kindChanged byte = 3 // a replica has come or gone: look again
	kindBell    byte = 4 // as kindStarted, and there is something to do
)

var errMessage = errors.New("not a message of this version")

// encode writes kind, sender, number of ticks, then each job and its
// milliseconds; strings follow their length, numbers are unsigned varints.
func encode(n scheduler.News) ([]byte, error) {
	if len(n.From) > maxID || len(n.Ticks) > maxTicks {
		return nil, fmt.Errorf("news from %d bytes of name with %d ticks: at most %d and %d", len(n.From), len(n.Ticks), maxID, maxTicks)
	}
	buf := make([]byte, 0, 16+len(n.From)+40*len(n.Ticks))
	kind := kindStarted
	if n.Bell {
		kind = kindBell
	}
	buf = appendString(append(buf, kind), n.From)
	buf = binary.AppendUvarint(buf, uint64(len(n.Ticks)))
	for _, t := range n.Ticks {
		ms := t.At.UnixMilli()
		if len(t.Job) > maxJob || ms < 0 || ms > maxMillis {
			return nil, fmt.Errorf("tick %s of a job with %d bytes of name: out of range", t.At, len(t.Job))
		}
		buf = binary.AppendUvarint(appendString(buf, t.Job), uint64(ms))
	}
	return buf, nil
}

func encodeChanged(from string) []byte { return appendString([]byte{kindChanged}, from) }

func appendString(buf []byte, s string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(s))), s...)
}

// decode reads a message. Changed is set for kindChanged, whose news have no ticks.
func decode(message string) (news scheduler.News, changed bool, err error) {
	if message == "" || len(message) > maxMessage {
		return scheduler.News{}, false, errMessage
	}
	r := reader{rest: message[1:]}
	news.From = r.text(maxID)
	switch message[0] {
	case kindChanged:
		return news, true, r.end()
	case kindStarted, kindBell:
		news.Bell = message[0] == kindBell
	default:
		return scheduler.News{}, false, errMessage
	}
	count := r.number(maxTicks)
	if count > uint64(len(r.rest)) { // each tick takes two bytes at least
		return scheduler.News{}, false, errMessage
	}
	if count > 0 {
		news.Ticks = make([]scheduler.TickRef, 0, count)
	}
	for range count {
		job := r.text(maxJob)
		at := time.UnixMilli(int64(r.number(maxMillis))).UTC()
		news.Ticks = append(news.Ticks, scheduler.TickRef{Job: job, At: at})
	}
	if err := r.end(); err != nil {
		return scheduler.News{}, false, err
	}
	return news, false, nil
}

// reader reads until something is wrong, and then nothing more.
type reader struct {
	rest  string
	wrong bool
}

func (r *reader) number(limit uint64) uint64 {
	n, size := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if size <= 0 || n > limit {
		r.wrong, r.rest = true, ""
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) text(limit uint64) string {
	n := r.number(limit)
	if n > uint64(len(r.rest)) {
		r.wrong, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) end() error {
	if r.wrong || r.rest != "" {
		return errMessage
	}
	return nil
}
