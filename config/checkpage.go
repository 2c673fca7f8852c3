package config

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

const (
	maxBasePath    = 200 // bytes
	maxEnvironment = 40  // bytes: the badge is beside the navigation
)

// checkPage reports what makes no sense of the web page.
func (l *loader) checkPage(p *AdminPage) {
	if msg := badBasePath(p.BasePath); msg != "" {
		l.blame("admin.page.basePath", msg)
	}
	p.BasePath = strings.TrimSuffix(p.BasePath, "/")
	if len(p.Environment.Name) > maxEnvironment {
		l.blame("admin.page.environment.name", fmt.Sprintf("has %d bytes: a badge has room for %d", len(p.Environment.Name), maxEnvironment))
	}
	if t := p.Environment.Tone; t != "" && !slices.Contains(PageTones(), t) {
		l.blame("admin.page.environment.tone", quote(t)+" is none of "+strings.Join(PageTones(), ", "))
	}
}

// PageTones lists how loud the badge of the page can be; the first is meant when
// none is said.
func PageTones() []string { return []string{"neutral", "info", "warning", "danger"} }

// taken are the first parts of paths that this listener has itself: a base path that
// began with one would hide what is there.
func taken() []string {
	return []string{
		"api", "assets", "login", "logout", "livez", "readyz", "startupz", "metrics", "version",
		"jobs", "runs", "timeline", "leases", "cluster", "config", "activity",
	}
}

// badBasePath reports what is no path to put before others.
func badBasePath(s string) string {
	if s == "" || s == "/" {
		return ""
	}
	foreign := func(r rune) bool { return !strings.ContainsRune(basePathLetters, r) }
	if s[0] != '/' || len(s) > maxBasePath || path.Clean(s) != strings.TrimSuffix(s, "/") || strings.ContainsFunc(s, foreign) {
		return quote(s) + " is no path such as /cron: letters, digits, '-', '.' and '_' between single slashes"
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(s, "/"), "/")
	if slices.Contains(taken(), first) {
		return quote(s) + " begins as addresses of this place do: choose another first part, such as /cron"
	}
	return ""
}

const basePathLetters = "/-._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
