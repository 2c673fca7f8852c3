package admin

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Fault is what is wrong with one part of a request.
type Fault struct {
	Location string `json:"location,omitempty"` // such as query.limit or body.until
	Param    string `json:"param,omitempty"`    // the parameter of the job, if it is about one
	Message  string `json:"message"`
	Value    any    `json:"value,omitempty"` // what was there; left out where it may be a secret
}

// invalid says in our way what huma found wrong with a request: what cannot be read,
// or has members that nobody knows, is a bad request, and what can be read and makes no
// sense is not valid. Limit is how many bytes a body may have.
func invalid(m *huma.ErrorModel, limit int64) *problemError {
	switch m.Status {
	case http.StatusRequestEntityTooLarge:
		return &problemError{
			Type: "too-large", Title: "Body too large", Status: m.Status, Detail: fmt.Sprintf("A body has at most %d bytes here.", limit),
		}
	case http.StatusRequestTimeout:
		return &problemError{Type: "timeout", Title: "Body not received in time", Status: m.Status, Detail: "The rest of the body did not arrive."}
	case http.StatusInternalServerError: // huma blames itself for a client that breaks off
		return badRequest("The body could not be read.")
	}
	faults := faultsOf(m.Errors)
	p := badRequest("The request is not what this route takes: see errors.")
	switch {
	case len(faults) == 0:
		p.Detail = echo(m.Detail) + "."
	case m.Status == http.StatusUnprocessableEntity && !misshapen(faults):
		p = &problemError{
			Type: "validation", Title: "Not valid", Status: http.StatusUnprocessableEntity, Detail: "The request is not valid: see errors.",
		}
	}
	if len(faults) > 0 {
		p.More = map[string]any{"errors": faults}
	}
	return p
}

// misshapen reports whether a body has a member that nobody knows.
func misshapen(faults []Fault) bool {
	for _, f := range faults {
		if strings.HasPrefix(f.Location, "body") && f.Message == "unexpected property" {
			return true
		}
	}
	return false
}

// maxFaults is how many faults one answer lists.
const maxFaults = 100

func faultsOf(details []*huma.ErrorDetail) []Fault {
	var faults []Fault
	for _, d := range details {
		if d == nil || len(faults) == maxFaults {
			continue
		}
		f := Fault{Location: echo(d.Location), Message: plain(d.Message), Value: shown(d.Location, d.Value)}
		if !slices.Contains(faults, f) { // huma finds an instant wrong in two ways at once
			faults = append(faults, f)
		}
	}
	return faults
}

// plain is a message of huma in words that people know.
func plain(message string) string {
	switch {
	case strings.HasPrefix(message, "invalid date/time"), strings.HasPrefix(message, "expected string to be RFC 3339"), strings.HasSuffix(message, instantWords):
		return "is " + instantWords
	}
	return echo(message)
}

// shown is a value that may be repeated: a short one, and not the value of a
// parameter of a job, a header, or the body as a whole, any of which may be a secret.
func shown(location string, value any) any {
	where, member, _ := strings.Cut(location, ".")
	switch {
	case where != "query" && where != "path" && where != "body", member == "", strings.HasPrefix(location, "body.params"):
		return nil
	}
	switch v := value.(type) {
	case string:
		return echo(v)
	case bool, int, int64, float64:
		return v
	}
	return nil
}

// notValid says that one part of a request makes no sense.
func notValid(location, message string, value any) *problemError {
	return &problemError{
		Type: "validation", Title: "Not valid", Status: http.StatusUnprocessableEntity,
		Detail: location + ": " + message, More: map[string]any{"errors": []Fault{{Location: location, Message: message, Value: shown(location, value)}}},
	}
}
