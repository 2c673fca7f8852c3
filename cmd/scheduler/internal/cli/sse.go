package cli

import (
	"bufio"
	"io"
	"strings"
)

// maxEvent is how large a line of a stream may be.
const maxEvent = 4 << 20

// Event is one of a stream of server-sent events.
type Event struct {
	Name string
	ID   string // "": as before
	Data []byte
}

// ReadEvents hands each event of a stream to take, until the stream or take ends. The
// error is io.ErrUnexpectedEOF if the stream ended.
func ReadEvents(r io.Reader, take func(Event) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxEvent)
	var e Event
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case lines.Text() == "":
			if e.Name != "" || e.ID != "" || e.Data != nil {
				if err := take(e); err != nil {
					return err
				}
			}
			e = Event{}
		case field == "event":
			e.Name = value
		case field == "id":
			e.ID = value
		case field == "data" && e.Data == nil:
			e.Data = []byte(value)
		case field == "data":
			e.Data = append(append(e.Data, '\n'), value...)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}
