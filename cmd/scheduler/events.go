package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/journal"
)

const (
	maxReturns  = 5 // times in a row that a stream is asked for in vain
	returnPause = 2 * time.Second
)

// hearing is what somebody wants to hear of what happens.
type hearing struct {
	remote
	types, job, since string
	limit             int // 0: for ever
}

func eventsCommand() *cobra.Command {
	var h hearing
	cmd := h.showing(&cobra.Command{
		Use: "events", Short: "Show what happens in the cluster, as it happens",
		Long: "With -o json or jsonl each event is a line of JSON. A stream that was cut is\n" +
			"taken up again where it was.\n\n",
		Example: "  scheduler events -t run,lease",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if h.limit < 0 {
				return usagef("--limit %d is negative", h.limit)
			}
			s, err := h.open(cmd)
			if err != nil {
				return err
			}
			return (&listener{session: s, hearing: &h, last: h.since}).listen()
		},
	})
	f := cmd.Flags()
	f.StringVarP(&h.types, "types", "t", "", "only these, with commas: run, job, lease, replica, config")
	f.StringVar(&h.job, "job", "", "only what is about this job")
	f.StringVar(&h.since, "since", "", "go on after the event with this ID")
	f.IntVar(&h.limit, "limit", 0, "end after so many events; 0: never")
	return cmd
}

// listener follows a stream of events over several connections.
type listener struct {
	*session
	hearing *hearing
	last    string // ID up to which all was heard
	heard   int
	vain    int // connections in a row that brought nothing
}

var errEnough = errors.New("enough")

// listen shows events until there are enough, somebody interrupts it, or the server
// cannot be reached any more.
func (l *listener) listen() error {
	ctx := l.cmd.Context()
	for {
		err := l.connect()
		code, _ := cli.CodeOf(err)
		_, told := errors.AsType[*cli.ProblemError](err)
		switch {
		case ctx.Err() != nil: // whoever interrupts it has seen enough
			return cli.Quit(cli.Interrupted)
		case errors.Is(err, errEnough):
			return nil
		case told && code != cli.Unreachable, l.vain >= maxReturns:
			return err
		}
		l.vain++
		l.view.Note("%v; again in %s", err, returnPause)
		pause(ctx, returnPause)
	}
}

// connect shows the events of one connection. It returns why that ended.
func (l *listener) connect() error {
	path := cli.Query(cli.Path("events"), "types", l.hearing.types, "job", l.hearing.job, "since", l.last)
	res, err := l.Send(l.cmd.Context(), http.MethodGet, path, nil, "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := cli.ReadEvents(res.Body, l.take); err != nil {
		if errors.Is(err, errEnough) {
			return err
		}
		return cli.Exit(cli.Unreachable, fmt.Errorf("%s: the stream of events has ended: %w", l.Server(), err))
	}
	return nil
}

// take shows one event.
func (l *listener) take(e cli.Event) error {
	if e.ID != "" {
		l.last, l.vain = e.ID, 0
	}
	switch e.Name {
	case "", "alive", "bye":
		return nil
	case "reset":
		l.view.Note("events are missing here: the server no longer has them")
		return nil
	case "snapshot":
		return l.snapshot(e.Data)
	}
	if err := l.show(e); err != nil {
		return err
	}
	if l.heard++; l.heard == l.hearing.limit {
		return errEnough
	}
	return nil
}

// snapshot says how things stand at the beginning.
func (l *listener) snapshot(data []byte) error {
	var x struct{ Runs, Replicas []json.RawMessage }
	if err := json.Unmarshal(data, &x); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	if x.Runs != nil {
		l.view.Note("%s not ended", plural(len(x.Runs), "run"))
	}
	if x.Replicas != nil {
		l.view.Note("%s", plural(len(x.Replicas), "replica"))
	}
	return nil
}

// show writes one event.
func (l *listener) show(e cli.Event) error {
	switch l.view.Format {
	case cli.FormatYAML:
		return l.view.Machine(json.RawMessage(e.Data))
	case cli.FormatName:
		return l.view.Line("%s", e.ID)
	case cli.FormatJSON, cli.FormatLines:
		return l.view.Line("%s", e.Data)
	case cli.FormatTable, cli.FormatWide:
	}
	var x journal.Happening
	if err := json.Unmarshal(e.Data, &x); err != nil {
		return fmt.Errorf("event %s: %w", cli.Clip(e.ID, 40), err)
	}
	return l.view.Line("%s", eventLine(l.view.Moment(x.At), &x))
}

// eventLine is an event for people.
func eventLine(at string, x *journal.Happening) string {
	words := []string{at, string(x.Topic), x.Phase}
	for _, w := range []string{x.Run, x.Job} {
		if w != "" {
			words = append(words, w)
			break
		}
	}
	if x.Verdict != "" {
		words = append(words, string(x.Verdict))
	}
	if x.Reason != "" {
		words = append(words, "("+string(x.Reason)+")")
	}
	words = append(words, "on "+x.Replica)
	if x.Attempt > 1 {
		words = append(words, fmt.Sprintf("attempt %d", x.Attempt))
	}
	if x.By != "" {
		words = append(words, "by "+x.By)
	}
	if len(x.Counts) > 0 {
		words = append(words, countsOf(x.Counts))
	}
	text := strings.Join(words, " ")
	if x.Note != "" {
		text += ": " + x.Note
	}
	return text
}
