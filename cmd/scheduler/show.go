package main

import (
	"encoding/json"
	"fmt"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

// maxItems is how many items a command lists at most.
const maxItems = 10_000

// listing shows the list at path, up to limit items, as it is or in the columns that
// table makes of it. Size is how the API calls the size of a page there.
func listing[T any](s *session, path, size string, limit int, table func([]T) cli.Table) error {
	if limit < 1 || limit > maxItems {
		return usagef("--limit %d is not between 1 and %d", limit, maxItems)
	}
	p := s.view.Progress("waiting for " + s.Server())
	list, err := s.All(s.cmd.Context(), path, size, limit)
	p.End()
	if err != nil {
		return s.hint(err)
	}
	return showList(s, list, table)
}

// showList writes a list.
func showList[T any](s *session, list *cli.List, table func([]T) cli.Table) error {
	if list.Stale() {
		s.view.Note("the store gives no answer: this is what the replica remembers")
	}
	if !s.view.Format.ForPeople() {
		return s.view.Machine(list)
	}
	items, err := cli.Decode[T](list)
	if err != nil {
		return fmt.Errorf("%s does not answer as Solocron does: %w", s.Server(), err)
	}
	return s.view.Table(table(items))
}

// showing sends a request and shows the answer, as it is or as show does.
func showing[T any](s *session, call cli.Call, show func(*T) error) error {
	var text json.RawMessage
	if err := s.do(call, &text); err != nil {
		return err
	}
	return showRaw(s, text, show)
}

// showRaw writes an answer.
func showRaw[T any](s *session, text json.RawMessage, show func(*T) error) error {
	if !s.view.Format.ForPeople() {
		return s.view.Machine(text)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("%s does not answer as Solocron does: %w", s.Server(), err)
	}
	return show(&v)
}
