package access_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin/access"
)

// hotel is an Elsewhere that knows whoever comes back with the right word.
type hotel struct {
	name  string
	role  access.Role
	err   error
	block chan struct{} // Begin waits for it; nil: it does not
}

func (h *hotel) Begin(ctx context.Context) (string, []byte, error) {
	if h.block != nil {
		select {
		case <-h.block:
		case <-ctx.Done():
			return "", nil, context.Cause(ctx)
		}
	}
	return "https://hotel.example/door", []byte("the word"), h.err
}

func (h *hotel) Finish(_ context.Context, pending []byte, query url.Values) (string, access.Role, error) {
	if string(pending) != query.Get("word") {
		return "", access.None, errors.New("another word")
	}
	return h.name, h.role, nil
}

func got(a *access.Access, path string, cookies ...*http.Cookie) *http.Response {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return answered(a, r)
}

func TestASignInElsewhereMustEndWithinTenMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := made(t, access.Config{Elsewhere: &hotel{name: "ada", role: access.Viewer}})
		const back = "/login/oidc/callback?word=the+word"
		res := got(a, "/login/oidc")
		if res.StatusCode != http.StatusFound || res.Header.Get("Location") != "https://hotel.example/door" {
			t.Fatalf("got %d to %q", res.StatusCode, res.Header.Get("Location"))
		}
		begun := res.Cookies()[0]
		time.Sleep(10*time.Minute - time.Second)
		res = got(a, back, begun)
		if res.StatusCode != http.StatusOK || len(res.Cookies()) != 2 {
			t.Fatalf("in time: got %d and %v", res.StatusCode, res.Cookies())
		}
		session := res.Cookies()[1]
		if id := known(t, a, with(session)); id != (access.Identity{Name: "ada", Role: access.Viewer, Via: access.ViaOIDC}) {
			t.Errorf("got %+v", id)
		}
		if session.SameSite != http.SameSiteStrictMode {
			t.Errorf("got %+v, want a strict cookie", session)
		}
		time.Sleep(time.Second)
		if res := got(a, back, begun); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("too late: got %d, want 401", res.StatusCode)
		}
	})
}

func TestWhatElsewhereSaysIsNotTakenBlindly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		h    *hotel
		word string
		want int
	}{
		"another word":  {&hotel{name: "ada", role: access.Admin}, "x", 401},
		"no name":       {&hotel{role: access.Admin}, "the+word", 401},
		"a bent name":   {&hotel{name: "a\x1b[2J", role: access.Admin}, "the+word", 401},
		"a name of all": {&hotel{name: strings.Repeat("a", 300), role: access.Admin}, "the+word", 401},
		"no role":       {&hotel{name: "ada"}, "the+word", 403},
		"a long query":  {&hotel{name: "ada", role: access.Admin}, "the+word&x=" + strings.Repeat("x", 9000), 401},
	} {
		a, _ := made(t, access.Config{Elsewhere: c.h})
		res := got(a, "/login/oidc/callback?word="+c.word, got(a, "/login/oidc").Cookies()...)
		if res.StatusCode != c.want {
			t.Errorf("%s: got %d, want %d", name, res.StatusCode, c.want)
		}
		for _, cookie := range res.Cookies() {
			if cookie.Name == "solocron" {
				t.Errorf("%s: got a sign-in", name)
			}
		}
	}
	a, _ := made(t, access.Config{Elsewhere: &hotel{err: errors.New("away")}})
	if res := got(a, "/login/oidc"); res.StatusCode != http.StatusServiceUnavailable || len(res.Cookies()) != 0 {
		t.Errorf("away: got %d and %v, want 503", res.StatusCode, res.Cookies())
	}
}

func TestAnIssuerThatIsSlowHoldsAFewRequestsAndNotForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := made(t, access.Config{Elsewhere: &hotel{block: make(chan struct{})}})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if res := got(a, "/login/oidc"); res.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("got %d, want 503", res.StatusCode)
				}
			})
		}
		synctest.Wait()
		if res := got(a, "/login/oidc"); res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
			t.Errorf("the ninth: got %d, want 429", res.StatusCode)
		}
		begun := time.Now()
		wg.Wait()
		if took := time.Since(begun); took != 15*time.Second {
			t.Errorf("they waited for %s, want 15s", took)
		}
	})
}
