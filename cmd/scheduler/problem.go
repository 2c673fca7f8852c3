package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxProblem is how many bytes of an answer are read for what is wrong.
const maxProblem = 256 << 10

// problem is what a server says is wrong, as RFC 9457 has it.
type problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Run    string `json:"run"`
	Prev   string `json:"prev"`
	Next   string `json:"next"`
	Errors []struct {
		Param   string `json:"param"`
		Message string `json:"message"`
	} `json:"errors"`
}

// readProblem reads an answer that is not a success.
func readProblem(res *http.Response) error {
	p := &problem{}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxProblem))
	if err != nil || json.Unmarshal(text, p) != nil || p.Title == "" {
		return fmt.Errorf("the server answered %s", res.Status)
	}
	return p
}

// Error is p on one line.
func (p *problem) Error() string {
	text := p.Title
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	var more []string
	for _, e := range p.Errors {
		more = append(more, e.Param+" "+e.Message)
	}
	for _, m := range []struct{ name, value string }{{"run", p.Run}, {"prev", p.Prev}, {"next", p.Next}} {
		if m.value != "" {
			more = append(more, m.name+" "+m.value)
		}
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, "; ") + ")"
	}
	return oneLine(text)
}

// oneLine is s without control characters, for a terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}
