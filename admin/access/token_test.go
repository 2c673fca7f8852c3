package access_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/solocron/solocron/admin/access"
)

func TestATokenMakesItsNameKnownAndAnotherIsRefused(t *testing.T) {
	t.Parallel()
	a, _ := made(t, access.Config{Tokens: written(t, everybody(t))})
	for header, want := range map[string]access.Identity{
		"Bearer " + viewing:    {Name: "ada", Role: access.Viewer, Via: access.ViaToken},
		"bearer  " + operating: {Name: "ci", Role: access.Operator, Via: access.ViaToken},
	} {
		if got := known(t, a, request("192.0.2.1", "Authorization", header)); got != want {
			t.Errorf("%.10s: got %+v, want %+v", header, got, want)
		}
	}
	for name, r := range map[string]*http.Request{
		"none":         request("192.0.2.2"),
		"wrong":        bearing("192.0.2.3", wrong),
		"empty":        bearing("192.0.2.4", ""),
		"cut":          bearing("192.0.2.5", viewing[:len(viewing)-1]),
		"its name":     bearing("192.0.2.6", "ada"),
		"huge":         bearing("192.0.2.7", strings.Repeat("x", 1<<16)),
		"basic":        request("192.0.2.8", "Authorization", "Basic "+viewing),
		"no scheme":    request("192.0.2.9", "Authorization", viewing),
		"in the query": func() *http.Request { r := request("192.0.2.10"); r.URL.RawQuery = "token=" + viewing; return r }(),
	} {
		id, no := a.Identify(r)
		if no == nil || no.Status != http.StatusUnauthorized || id != (access.Identity{}) {
			t.Errorf("%s: got %+v, %+v, want 401 and nobody", name, id, no)
			continue
		}
		if h := no.Header().Get("WWW-Authenticate"); !strings.HasPrefix(h, `Bearer realm="solocron"`) {
			t.Errorf("%s: got WWW-Authenticate %q", name, h)
		}
	}
}

func TestALineForTheFileSaysNothingOfTheToken(t *testing.T) {
	t.Parallel()
	one, two := access.NewToken(), access.NewToken()
	if one == two || len(one) < 40 {
		t.Errorf("got the tokens %q and %q, want different ones of 256 bits", one, two)
	}
	got := line(t, "ops", access.Admin, one)
	if !strings.HasPrefix(got, "ops admin sha256:") || strings.Contains(got, one) {
		t.Errorf("got %q", got)
	}
	a, _ := made(t, access.Config{Tokens: written(t, got)})
	if id := known(t, a, bearing("192.0.2.1", one)); id.Role != access.Admin {
		t.Errorf("got %+v, want an admin", id)
	}
}

func TestWhatIsNoTokenIsNotHashed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		name  string
		role  access.Role
		token string
		want  string
	}{
		"a short one":      {"a", access.Viewer, "hunter2hunter2", "at least 128 bits"},
		"a long one":       {"a", access.Viewer, strings.Repeat("abcdefghij", 60), "at least 128 bits"},
		"a row":            {"a", access.Viewer, strings.Repeat("ab", 20), "not random"},
		"with a space":     {"a", access.Viewer, "correct horse battery staple", "a space"},
		"a line break":     {"a", access.Viewer, viewing + "\n", "a space"},
		"no name":          {"", access.Viewer, viewing, "name"},
		"a name of two":    {"a b", access.Viewer, viewing, "name"},
		"a name in colour": {"\x1b[31ma", access.Viewer, viewing, "name"},
		"no role":          {"a", access.None, viewing, "role"},
		"a role too high":  {"a", access.Admin + 1, viewing, "role"},
	} {
		got, err := access.Line(c.name, c.role, c.token)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), c.token) {
			t.Errorf("%s: got %q, %v, want an error that says %q and not the token", name, got, err, c.want)
		}
	}
}

func TestAFaultInTheFileIsNamedByItsLineAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	good := line(t, "ada", access.Viewer, viewing)
	for name, c := range map[string]struct{ text, want string }{
		"a bare token":      {good + "ci operator " + operating, "line 2: the third word is not sha256:"},
		"a token alone":     {operating, "line 1: has 1 words"},
		"token as the name": {operating + " operator x", "line 1: the third word"},
		"token as the role": {"ci " + operating + " x", "line 1: the second word is not one of viewer, operator, admin"},
		"none":              {"ci none sha256:" + strings.Repeat("0", 64), "the second word"},
		"a short hash":      {"ci admin sha256:" + strings.Repeat("0", 62), "the third word"},
		"twice":             {good + "\n" + line(t, "eve", access.Admin, viewing), "line 3: is the token of line 1 again"},
		"too many words":    {strings.TrimSpace(good) + " extra", "has 4 words"},
		"an endless line":   {strings.Repeat("x", 100<<10), "too long"},
		"too large":         {strings.Repeat("# comment\n", 30<<10), "larger than 256 KiB"},
	} {
		_, err := access.New(access.Config{Tokens: written(t, c.text)})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), operating) {
			t.Errorf("%s: got %v, want %q and not the token", name, err, c.want)
		}
	}
	for name, path := range map[string]string{"absent": t.TempDir() + "/none", "a directory": t.TempDir(), "a device": os.DevNull} {
		if _, err := access.New(access.Config{Tokens: path}); err == nil || !strings.Contains(err.Error(), "admin.tokens") {
			t.Errorf("%s: got %v, want an error that names the setting", name, err)
		}
	}
}

func TestMoreTokensThanAreComparedInTimeAreRefused(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&b, "n%d viewer sha256:%064x\n", i, i)
	}
	if _, err := access.New(access.Config{Tokens: written(t, b.String())}); err == nil || !strings.Contains(err.Error(), "line 1001") {
		t.Errorf("got %v, want the first line too many", err)
	}
}

func TestTheFileIsReadAgainWhenItChangesAndABadOneKeepsTheOldTokens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := written(t, everybody(t))
		a, log := made(t, access.Config{Tokens: path})
		later := func(want int, what string, token string) {
			t.Helper()
			time.Sleep(2 * time.Second)
			if got := refused(a, bearing("192.0.2.1", token)); got != want {
				t.Errorf("%s: got %d, want %d", what, got, want)
			}
		}
		later(0, "at first", viewing)
		replace(t, path, line(t, "eve", access.Admin, wrong))
		later(0, "a new token", wrong)
		later(401, "an old token", viewing)

		replace(t, path, "eve admin "+wrong)
		later(0, "a bad file", wrong)
		later(0, "a bad file, later", wrong)
		if got := strings.Count(log.String(), "level=ERROR"); got != 1 || !strings.Contains(log.String(), "line 1") || strings.Contains(log.String(), wrong) {
			t.Errorf("got %d errors in the log, want one for one bad file:\n%s", got, log)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		later(0, "no file", wrong)
		replace(t, path, everybody(t))
		later(0, "a good file", viewing)
		later(401, "a good file, the bad one's token", wrong)
	})
}

func TestAFileThatEverybodyMayReadIsWarnedOf(t *testing.T) {
	t.Parallel()
	path := written(t, everybody(t))
	if _, log := made(t, access.Config{Tokens: path}); log.String() != "" {
		t.Errorf("mode 0600: got %s", log)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, log := made(t, access.Config{Tokens: path}); !strings.Contains(log.String(), "chmod o-r") {
		t.Errorf("mode 0644: got %q, want a warning", log)
	}
}

func TestTokensAreLookedUpWhileTheirFileChanges(t *testing.T) {
	t.Parallel()
	path := written(t, everybody(t))
	clock := make(chan time.Time)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { // each look is a second after the one before
		defer close(clock)
		for at := time.Now(); ; at = at.Add(time.Second) {
			select {
			case clock <- at:
			case <-stop:
				return
			}
		}
	})
	a, _ := made(t, access.Config{Tokens: path, Now: func() time.Time { return <-clock }})
	var asking sync.WaitGroup
	for i := range 4 {
		asking.Go(func() {
			for range 50 {
				if got := refused(a, bearing(fmt.Sprintf("192.0.2.%d", i), viewing)); got != 0 {
					t.Errorf("got %d for a token that was never taken away", got)
				}
			}
		})
	}
	for i := range 20 {
		replace(t, path, everybody(t)+strings.Repeat("#\n", i))
	}
	asking.Wait()
	close(stop)
	wg.Wait()
}

func TestThereMustBeAWayInAndOpenIsTheOnlyOneThen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]access.Config{
		"nothing":               {},
		"open and yet tokens":   {Open: true, Tokens: written(t, everybody(t))},
		"a proxy from anywhere": {Proxy: &access.Proxy{Header: "X-User"}},
		"a proxy of no header":  {Proxy: &access.Proxy{}},
		"a short key":           {Tokens: written(t, everybody(t)), Keys: [][]byte{[]byte("hunter2")}},
	} {
		if _, err := access.New(c); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
	a, _ := made(t, access.Config{Open: true})
	if got := known(t, a, request("203.0.113.1")); got.Role != access.Admin || got.Via != access.ViaNothing {
		t.Errorf("open: got %+v, want an admin", got)
	}
}

func TestRolesAreReadAsTheyAreWrittenAndTheHighestCounts(t *testing.T) {
	t.Parallel()
	for r := access.None; r <= access.Admin; r++ {
		var got access.Role
		if err := got.UnmarshalText([]byte(r.String())); err != nil || got != r {
			t.Errorf("%s: got %v, %v", r, got, err)
		}
		if _, err := access.ParseRole(r.String()); (err == nil) != (r != access.None) {
			t.Errorf("ParseRole %s: got %v", r, err)
		}
	}
	if err := new(access.Role).UnmarshalText([]byte("root")); err == nil || !strings.Contains(err.Error(), "is not one of none, viewer") {
		t.Errorf("root: got %v", err)
	}
	roles := map[string]access.Role{"dev": access.Viewer, "sre": access.Admin}
	if got := access.Highest([]string{"all", "sre", "dev"}, roles); got != access.Admin {
		t.Errorf("got %s, want admin", got)
	}
	if got := access.Highest([]string{"all"}, roles); got != access.None {
		t.Errorf("got %s, want none", got)
	}
}
