package page_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin/page"
)

// get asks a page for a path, with headers as pairs.
func get(t *testing.T, h http.Handler, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// asset is the path of a script that the index names.
func asset(t *testing.T) string {
	t.Helper()
	index := text(t, get(t, page.New(page.Config{}), "/"))
	found := regexp.MustCompile(`src="\.(/assets/[^"]+\.js)"`).FindStringSubmatch(index)
	if found == nil {
		t.Fatalf("the index names no script:\n%s", index)
	}
	return found[1]
}

func TestScreensAndFilesAreServedAndNothingElseIs(t *testing.T) {
	t.Parallel()
	p := page.New(page.Config{})
	for path, want := range map[string]int{
		"/": 200, "/timeline": 200, "/runs": 200, "/runs/x.20261129T013000Z": 200, "/jobs/a.b-c": 200, "/leases": 200,
		"/cluster": 200, "/config": 200, "/activity": 200, asset(t): 200,
		"/jobs": 404, "/jobs/": 404, "/jobs/a/b": 404, "/nope": 404, "/index.html": 404, "/assets/nope.js": 404, "/assets/": 404, "/dist/index.html": 404,
	} {
		if got := get(t, p, path).StatusCode; got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
		if got := p.Serves(path); got != (want == 200) {
			t.Errorf("%s is served: got %t, want %t", path, got, want == 200)
		}
	}
}

func TestHeadersKeepThePageToItself(t *testing.T) {
	t.Parallel()
	p := page.New(page.Config{})
	for _, path := range []string{"/", asset(t)} {
		h := get(t, p, path).Header
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s %s: got %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestTheIndexIsAskedForEachTimeAndFilesNeverAgain(t *testing.T) {
	t.Parallel()
	p := page.New(page.Config{})
	if got := get(t, p, "/").Header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("index: got %q", got)
	}
	if got := get(t, p, asset(t)).Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("file: got %q", got)
	}
	for _, path := range []string{"/", asset(t)} {
		for _, encoding := range []string{"", "br, gzip;q=0.5"} {
			first := get(t, p, path, "Accept-Encoding", encoding)
			again := get(t, p, path, "Accept-Encoding", encoding, "If-None-Match", `"x", W/`+first.Header.Get("ETag"))
			if again.StatusCode != http.StatusNotModified || text(t, again) != "" {
				t.Errorf("%s, %q: got %d, want 304 without a body", path, encoding, again.StatusCode)
			}
		}
	}
}

func TestGzipIsForThoseWhoTakeIt(t *testing.T) {
	t.Parallel()
	p := page.New(page.Config{})
	plain := text(t, get(t, p, asset(t)))
	res := get(t, p, asset(t), "Accept-Encoding", "deflate, gzip")
	if res.Header.Get("Content-Encoding") != "gzip" || res.Header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("got %v, want gzip", res.Header)
	}
	r, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if packed, err := io.ReadAll(r); err != nil || string(packed) != plain {
		t.Errorf("got %d bytes and %v, want the %d of the file", len(packed), err, len(plain))
	}
	if got := get(t, p, asset(t), "Accept-Encoding", "gzip;q=0").Header.Get("Content-Encoding"); got != "" {
		t.Errorf("got %q for one who refuses gzip", got)
	}
}

func TestAPageBelowAPathSaysSoAndAnswersWithAndWithoutIt(t *testing.T) {
	t.Parallel()
	p := page.New(page.Config{BasePath: "/ops/cron"})
	h := p.Based(p)
	for _, path := range []string{"/ops/cron/", "/ops/cron/jobs/x", "/jobs/x"} {
		if got := text(t, get(t, h, path)); !strings.Contains(got, `<base href="/ops/cron/" />`) {
			t.Errorf("%s: the index has no base:\n%s", path, got)
		}
	}
	if res := get(t, h, "/ops/cron"); res.StatusCode != http.StatusPermanentRedirect || res.Header.Get("Location") != "/ops/cron/" {
		t.Errorf("got %d to %q, want the same with a slash", res.StatusCode, res.Header.Get("Location"))
	}
	if res := get(t, h, "/ops/cron"+asset(t)); res.StatusCode != http.StatusOK {
		t.Errorf("a file below the path: got %d", res.StatusCode)
	}
	if res := get(t, h, "/ops/cronx/"); res.StatusCode != http.StatusNotFound {
		t.Errorf("another path that begins alike: got %d, want 404", res.StatusCode)
	}
}

func TestNothingIsChangedThroughThePage(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	page.New(page.Config{}).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", http.NoBody))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("got %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

// maxPacked is how many bytes all of the page may have on the wire: it is looked at
// over a port-forward, at night.
const maxPacked = 120_000

func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	total := 0
	walk(t, func(_ string, text []byte) {
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		total += out.Len()
	})
	if total == 0 || total > maxPacked {
		t.Errorf("got %d bytes in gzip, want at most %d", total, maxPacked)
	}
}

func TestThePageLoadsNothingFromElsewhereAndHasNothingInline(t *testing.T) {
	t.Parallel()
	elsewhere := regexp.MustCompile(`(?:src|href)="(?:https?:)?//|url\((?:https?:)?//|@import|from"https?:|import\("https?:`)
	inline := regexp.MustCompile(`<script[^>]*>[^<]|<style| style="| on\w+="`)
	walk(t, func(name string, text []byte) {
		if found := elsewhere.Find(text); found != nil {
			t.Errorf("%s loads from elsewhere: %s", name, found)
		}
		if found := inline.Find(text); strings.HasSuffix(name, ".html") && found != nil {
			t.Errorf("%s has something inline that the policy stops: %s", name, found)
		}
	})
}

func walk(t *testing.T, fn func(name string, text []byte)) {
	t.Helper()
	dist := os.DirFS("dist")
	err := fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(dist, name)
		if err == nil {
			fn(name, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
