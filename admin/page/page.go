package page

import (
	"bytes"
	"embed"
	"html"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed dist
var built embed.FS

// Tone says how loudly the page names the environment it belongs to.
type Tone string

// The tones.
const (
	Neutral Tone = "neutral" // the zero Tone is this too
	Info    Tone = "info"
	Warning Tone = "warning"
	Danger  Tone = "danger"
)

// Tones lists all tones.
func Tones() []Tone { return []Tone{Neutral, Info, Warning, Danger} }

// Environment is what the page calls the place it acts upon, on every screen and in
// every dialog, so that nobody takes production for a trial.
type Environment struct {
	Name string `json:"name"` // such as "PROD eu-1"; "": there is no badge
	Tone Tone   `json:"tone"`
}

// Config says where a page is and whose it is. The zero Config is good.
type Config struct {
	BasePath    string // before all paths of this listener, such as /cron; "": none
	Environment Environment
}

// Page answers for the page's files and for the addresses of its screens.
type Page struct {
	base  string // the base path, without a slash at its end
	index file
	files map[string]file // by path, such as /assets/index-x.js
}

// policy lets the page use nothing but what this listener serves, and be framed by
// nobody.
const policy = "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

// New returns the page for c.
func New(c Config) *Page {
	p := &Page{base: strings.TrimSuffix(c.BasePath, "/"), files: map[string]file{}}
	dist, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // dist is a valid name
	}
	// Reading what is embedded cannot go wrong.
	_ = fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			p.index = newFile(name, based(text, p.base))
		} else {
			p.files["/"+name] = newFile(name, text)
		}
		return nil
	})
	return p
}

// baseTag is what the build writes for the base path.
const baseTag = `<base href="/" />`

// based is the index for a base path: all its addresses are relative to it.
func based(index []byte, path string) []byte {
	tag := `<base href="` + html.EscapeString(path) + `/" />`
	return bytes.Replace(index, []byte(baseTag), []byte(tag), 1)
}

// Serves reports whether path, without the base path, is one of the page's files or
// screens.
func (p *Page) Serves(path string) bool {
	_, ok := p.files[path]
	return ok || screen(path)
}

// screen reports whether path is the address of a screen. Others are not found,
// rather than a page that says so with status 200.
func screen(path string) bool {
	switch path {
	case "/", "/timeline", "/runs", "/leases", "/cluster", "/config", "/activity":
		return true
	}
	for _, list := range []string{"/jobs/", "/runs/"} {
		if name, ok := strings.CutPrefix(path, list); ok {
			return name != "" && !strings.Contains(name, "/")
		}
	}
	return false
}

// ServeHTTP answers GET and HEAD for what the page serves, and 404 for the rest.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Security-Policy", policy)
	if f, ok := p.files[r.URL.Path]; ok {
		h.Set("Cache-Control", "public, max-age=31536000, immutable") // the name changes with what is in it
		f.serve(w, r)
		return
	}
	if screen(r.URL.Path) {
		h.Set("Cache-Control", "no-cache") // asked for each time: it names the files of this version
		p.index.serve(w, r)
		return
	}
	http.NotFound(w, r)
}

// Based takes the base path, if there is one, off the paths of requests before next
// sees them. Those without it are let through as they are: a proxy may have taken it
// off already, and probes do not know of it.
func (p *Page) Based(next http.Handler) http.Handler {
	if p.base == "" {
		return next
	}
	stripped := http.StripPrefix(p.base, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == p.base && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			http.Redirect(w, r, p.base+"/", http.StatusPermanentRedirect)
		case strings.HasPrefix(r.URL.Path, p.base+"/"):
			stripped.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
