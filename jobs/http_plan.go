package jobs

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// httpPlan is what the settings of an HTTP job come to.
type httpPlan struct {
	address urlTemplate
	body    runTemplate
	expect  statusRanges
}

// plan reads the settings of h and reports everything that is wrong with them.
func (h *HTTP) plan() (httpPlan, error) {
	var p httpPlan
	var errs []error
	blame := func(field string, err error) {
		if err != nil {
			errs = append(errs, &FieldError{Field: field, Msg: err.Error()})
		}
	}
	var err error
	if !isToken(h.method()) {
		blame("method", fmt.Errorf("%q is not a method", h.Method))
	}
	p.address, err = parseURLTemplate(h.URL, h.Params)
	blame("url", err)
	p.body, err = parseTemplate(h.Body, maxRequestBody, h.Params, nil)
	blame("body", err)
	p.expect, err = parseStatusRanges(h.ExpectStatus)
	blame("expectStatus", err)
	for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
		blame("headers."+name, headerNameFault(name))
	}
	return p, errors.Join(errs...)
}

// parseURL reads an address. Its errors do not repeat it: it may hold a password.
func parseURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, errors.New("is missing: an address like https://host/path")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("is not a valid address")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("must begin with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("names no host")
	}
	return u, nil
}

func headerNameFault(name string) error {
	lower := strings.ToLower(name)
	switch {
	case !isToken(name):
		return fmt.Errorf("%q is not the name of a header", name)
	case strings.HasPrefix(lower, "solocron-"):
		return errors.New("headers that begin with Solocron- are set by the scheduler")
	case lower == "content-length" || lower == "transfer-encoding" || lower == "connection":
		return errors.New("is set by the client and cannot be chosen")
	}
	return nil
}

// isToken reports whether s may be the name of a method or header.
func isToken(s string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune(marks, r)
	})
}

type statusRange struct{ from, to int }

type statusRanges []statusRange

func (rs statusRanges) has(status int) bool {
	return slices.ContainsFunc(rs, func(r statusRange) bool { return r.from <= status && status <= r.to })
}

// parseStatusRanges reads statuses like 200 and 200-299; none means 200-299.
func parseStatusRanges(texts []string) (statusRanges, error) {
	if len(texts) == 0 {
		return statusRanges{{200, 299}}, nil
	}
	var ranges statusRanges
	for _, text := range texts {
		low, high, isRange := strings.Cut(text, "-")
		if !isRange {
			high = low
		}
		from, err1 := strconv.Atoi(strings.TrimSpace(low))
		to, err2 := strconv.Atoi(strings.TrimSpace(high))
		if err1 != nil || err2 != nil || from < 100 || to > 599 || from > to {
			return nil, fmt.Errorf("%q is neither a status from 100 to 599 nor a range like 200-299", text)
		}
		ranges = append(ranges, statusRange{from, to})
	}
	return ranges, nil
}
