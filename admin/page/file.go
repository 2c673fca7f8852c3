package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// file is one file of the page, ready to be sent.
type file struct {
	text   []byte
	etag   string
	kind   string
	packed func() []byte // the text in gzip, made when it is first asked for
}

// newFile prepares a file of this name.
func newFile(name string, text []byte) file {
	sum := sha256.Sum256(text)
	return file{
		text: text, etag: hex.EncodeToString(sum[:8]), kind: kindOf(name),
		packed: sync.OnceValue(func() []byte { return pack(text) }),
	}
}

// kindOf is the media type of a file. What the operating system thinks of a suffix,
// which mime.TypeByExtension would ask, must not decide whether a browser runs it.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}

func pack(text []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is a valid one
	_, _ = w.Write(text)                                    // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

// serve sends f, or says that the client has it already.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Vary", "Accept-Encoding")
	text, tag := f.text, `"`+f.etag+`"`
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		// A strong tag names bytes, so the packed ones have another.
		text, tag = f.packed(), `"`+f.etag+`-gz"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", tag)
	if has(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // who does not listen is gone
	}
}

// takesGzip reports whether an Accept-Encoding takes gzip.
func takesGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		q, found := strings.CutPrefix(strings.ReplaceAll(quality, " ", ""), "q=")
		value, err := strconv.ParseFloat(q, 64)
		return !found || err == nil && value > 0
	}
	return false
}

// has reports whether an If-None-Match names tag. Weak ones do: a copy that means the
// same is good enough for a page.
func has(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return true
		}
	}
	return false
}
