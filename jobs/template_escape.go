package jobs

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

const maxURL = 64 << 10 // bytes of a rendered address

// urlTemplate is an address, of which what comes after the host is a template.
type urlTemplate struct {
	runTemplate
	checked bool // renders to what has been parsed already
}

// parseURLTemplate reads an address. Scheme, user and host stand before the first
// template action: nobody who chooses a parameter chooses who gets the headers.
func parseURLTemplate(text string, params []Param) (urlTemplate, error) {
	fixed, _, templated := strings.Cut(text, "{{")
	_, behind, _ := strings.Cut(fixed, "://")
	if templated && !strings.ContainsAny(behind, "/?#") {
		return urlTemplate{}, errors.New("must begin with scheme, host and / before the first {{: a template cannot choose who is called")
	}
	_, err := parseURL(fixed)
	if err != nil {
		return urlTemplate{}, err
	}
	t := urlTemplate{checked: !templated}
	t.runTemplate, err = parseTemplate(text, maxURL, params, escapeURL)
	return t, err
}

// render is the address for run. Its errors do not repeat it.
func (t urlTemplate) render(run Run) (string, error) {
	text, err := t.runTemplate.render(run)
	if err != nil || t.checked {
		return text, err
	}
	u, err := parseURL(text)
	if err != nil {
		return "", err
	}
	if steps := strings.Split(u.Path, "/"); slices.Contains(steps, "..") || slices.Contains(steps, ".") {
		return "", errors.New("a parameter leads out of its path")
	}
	return text, nil
}

// escapeURL writes s so that it is one segment of a path, or one value of a query.
func escapeURL(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// escapePath writes s so that it is a part of one name of a file, and no two
// texts become the same.
func escapePath(s string) string {
	const special = `/\%`
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; strings.IndexByte(special, c) >= 0 || c < ' ' || c == 0x7f || c == '.' && i == 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// fixedDir is the directory that the text of a template begins with, "" if it
// begins with none.
func fixedDir(text string) string {
	fixed, _, _ := strings.Cut(text, "{{")
	return fixed[:strings.LastIndexByte(fixed, '/')+1]
}

// inside reports whether a file is below dir; "" is the working directory.
func inside(dir, file string) bool {
	rel, err := filepath.Rel(filepath.Clean(dir), filepath.Clean(file))
	return err == nil && filepath.IsLocal(rel)
}
