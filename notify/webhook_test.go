package notify_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/notify"
)

func TestAWebhookIsSignedAndSaysEverything(t *testing.T) {
	t.Setenv("HOOK_KEY", "a key of the receiver")
	t.Setenv("HOOK_TOKEN", "Bearer hunter2-hunter2")
	r := newReceiver(t)
	err := send(t, config.Channel{Webhook: &config.Webhook{
		URL: literal(r.URL + "/hook?team=ops"), Secret: jobs.Secret{Env: "HOOK_KEY"}, Headers: map[string]jobs.Secret{"Authorization": {Env: "HOOK_TOKEN"}},
	}}, failure())
	if err != nil {
		t.Fatal(err)
	}
	one := r.taken()[0]
	if one.path != "/hook" || one.query != "team=ops" || one.header.Get("Authorization") != "Bearer hunter2-hunter2" ||
		one.header.Get("Content-Type") != "application/json" || one.header.Get("Solocron-Delivery") != "0123" {
		t.Errorf("got %+v", one)
	}
	signature := one.header.Get(notify.SignatureHeader)
	for name, c := range map[string]struct {
		key, body string
		after     time.Duration
		ok        bool
	}{
		"as it was sent": {"a key of the receiver", one.body, 0, true},
		"another key":    {"a key of a stranger", one.body, 0, false},
		"another body":   {"a key of the receiver", one.body + " ", 0, false},
		"an hour later":  {"a key of the receiver", one.body, time.Hour, false},
	} {
		err := notify.Verify([]byte(c.key), []byte(c.body), signature, time.Now().Add(c.after), 5*time.Minute)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, notify.ErrSignature) {
			t.Errorf("%s: got %v, want ok %t", name, err, c.ok)
		}
	}
	var doc struct {
		ID, Title, Text string
		Events          []notify.Message
	}
	if err := json.Unmarshal([]byte(one.body), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.ID != "0123" || doc.Title != "nightly-report failed, 2 times in a row" || len(doc.Events) != 1 || doc.Events[0].Error != failure().Messages[0].Error {
		t.Errorf("got %+v", doc)
	}
	for _, line := range []string{"run: nightly-report.20261129T120000Z", "tick: 2026-11-29T12:00:00Z", "runbook: https://wiki/nightly"} {
		if !strings.Contains(doc.Text, line) {
			t.Errorf("the text lacks %q:\n%s", line, doc.Text)
		}
	}
}

func TestABrokenSignatureIsNone(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "t=", "t=1,v1=", "v1=00", "t=x,v1=00", "t=1,v1=zz", strings.Repeat("t", 10_000)} {
		if err := notify.Verify([]byte("k"), nil, header, time.Unix(1, 0), time.Hour); !errors.Is(err, notify.ErrSignature) {
			t.Errorf("%.20q: got %v, want ErrSignature", header, err)
		}
	}
}

func TestATemplateMakesTheBodyOfAWebhook(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	err := send(t, config.Channel{Webhook: &config.Webhook{
		URL: literal(r.URL), Body: `{"summary": {{json .Title}}, "error": {{json .Error}}, "n": {{len .Events}}, "day": "{{.Tick.Format "2006-01-02"}}"}`,
	}}, failure())
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(r.taken()[0].body), &doc); err != nil {
		t.Fatalf("%v in %s", err, r.taken()[0].body)
	}
	if doc["error"] != failure().Messages[0].Error || doc["n"] != 1.0 || doc["day"] != "2026-11-29" {
		t.Errorf("got %v", doc)
	}
}

func TestWhatAReceiverAnswersDecidesWhatFollows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		header string
		drop   bool
		least  time.Duration // until the next try
	}{
		"no content":   {http.StatusNoContent, "", false, 0},
		"broken":       {http.StatusInternalServerError, "", false, time.Second},
		"not there":    {http.StatusNotFound, "", false, time.Second},
		"busy":         {http.StatusTooManyRequests, "120", false, 2 * time.Minute},
		"busy for age": {http.StatusServiceUnavailable, "999999999", false, time.Hour},
		"bad request":  {http.StatusBadRequest, "", true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t)
			r.answers(c.status, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", c.header) })
			err := send(t, config.Channel{Webhook: &config.Webhook{URL: literal(r.URL)}}, failure())
			if c.status == http.StatusNoContent {
				if err != nil {
					t.Errorf("got %v", err)
				}
				return
			}
			pause, again := notify.After(err, 1, 0)
			if err == nil || again == c.drop || pause < c.least || pause > time.Hour {
				t.Errorf("got %v: again %t after %s, want again %t after at least %s", err, again, pause, !c.drop, c.least)
			}
		})
	}
}

func TestAMessageThatIsADayOldIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	err := errors.New("away")
	if pause, again := notify.After(err, 50, 23*time.Hour); !again || pause < 30*time.Second || pause > 5*time.Minute {
		t.Errorf("after 23h: got %s, %t", pause, again)
	}
	if _, again := notify.After(err, 50, 25*time.Hour); again {
		t.Error("after 25h it is tried again")
	}
}

func TestNoErrorOfASenderHoldsASecret(t *testing.T) {
	t.Setenv("HOOK_TOKEN", "hunter2-hunter2")
	r := newReceiver(t)
	r.mu.Lock()
	r.answer = func(w http.ResponseWriter, req *http.Request) bool {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write([]byte("no: http://" + req.Host + req.URL.String() + " " + req.Header.Get("X-Token")))
		return true
	}
	r.mu.Unlock()
	elsewhere := newReceiver(t)
	moved := newReceiver(t)
	moved.answers(http.StatusTemporaryRedirect, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Location", elsewhere.URL+"/hunter2") })
	for name, address := range map[string]string{
		"an answer that repeats it": r.URL + "/services/hunter2",
		"nobody listens":            "http://" + closedPort(t) + "/services/hunter2",
		"a redirect":                moved.URL + "/services/hunter2",
		"no URL at all":             "hunter2",
		"a URL of the wrong scheme": "ftp://hunter2/",
		"a broken escape":           "http://127.0.0.1/%zz/hunter2",
	} {
		for kind, c := range map[string]config.Channel{
			"webhook": {Webhook: &config.Webhook{URL: literal(address), Headers: map[string]jobs.Secret{"X-Token": {Env: "HOOK_TOKEN"}}}},
			"slack":   {Slack: &config.Slack{URL: literal(address)}},
		} {
			err := send(t, c, failure())
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s, %s: got %v, want an error without the secret", name, kind, err)
			}
		}
	}
	if n := len(elsewhere.taken()); n != 0 {
		t.Errorf("a redirect to another host was followed %d times", n)
	}
}

func TestARedirectWithinTheHostIsFollowed(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	r.mu.Lock()
	r.answer = func(w http.ResponseWriter, req *http.Request) bool {
		if req.URL.Path == "/new" {
			return false
		}
		status := http.StatusTemporaryRedirect
		if req.URL.Path == "/get" {
			status = http.StatusFound // would make it a GET without a body
		}
		http.Redirect(w, req, "/new", status)
		return true
	}
	r.mu.Unlock()
	if err := send(t, config.Channel{Webhook: &config.Webhook{URL: literal(r.URL + "/old")}}, failure()); err != nil {
		t.Error(err)
	}
	if all := r.taken(); len(all) != 1 || all[0].path != "/new" || !strings.Contains(all[0].body, "nightly-report") {
		t.Errorf("got %+v", all)
	}
	if err := send(t, config.Channel{Webhook: &config.Webhook{URL: literal(r.URL + "/get")}}, failure()); err == nil {
		t.Error("a redirect that loses the body was followed")
	}
}

func TestSlackGetsTextThatNobodyCanBreakOutOf(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	if err := send(t, config.Channel{Slack: &config.Slack{URL: literal(r.URL + "/services/T/B/x")}}, failure()); err != nil {
		t.Fatal(err)
	}
	var doc map[string]string
	if err := json.Unmarshal([]byte(r.taken()[0].body), &doc); err != nil {
		t.Fatal(err)
	}
	text := doc["text"]
	if !strings.HasPrefix(text, "*nightly-report failed, 2 times in a row*\n```\n") || strings.Contains(text, "<!channel>") || strings.Count(text, "`") != 6 {
		t.Errorf("got %s", text)
	}
}
