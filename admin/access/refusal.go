package access

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// Refusal says why a request is not let in. Nothing in it is secret.
type Refusal struct {
	Status int           // 401, 403 or 429; of a sign-in also others
	Type   string        // one word for programs, such as unauthenticated
	Title  string        // the same for people
	Detail string        // a sentence
	Retry  time.Duration // from when on it is worth asking again; 0: nothing is said
	Scheme string        // of WWW-Authenticate; "": none
}

// Header returns the headers that go with the refusal: WWW-Authenticate and
// Retry-After, in whole seconds and never 0.
func (r *Refusal) Header() http.Header {
	h := http.Header{}
	if r.Scheme != "" {
		h.Set("WWW-Authenticate", r.Scheme)
	}
	if r.Retry > 0 {
		h.Set("Retry-After", strconv.Itoa(int((r.Retry+time.Second-1)/time.Second)))
	}
	return h
}

// write answers with the refusal as RFC 9457 has it.
func (r *Refusal) write(w http.ResponseWriter, req *http.Request) {
	doc := map[string]any{
		"type": "urn:solocron:problem:" + r.Type, "title": r.Title, "status": r.Status, "detail": r.Detail,
		"instance": req.URL.EscapedPath()[:min(len(req.URL.EscapedPath()), maxName)],
	}
	if id := w.Header().Get("X-Request-Id"); id != "" { // whoever serves this has named the request
		doc["requestId"] = id
	}
	text, err := json.Marshal(doc)
	if err != nil {
		text = []byte("{}") // cannot be: they are texts and a number
	}
	maps.Copy(w.Header(), r.Header())
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(r.Status)
	_, _ = w.Write(append(text, '\n')) // who does not listen is gone
}

const (
	realm      = `Bearer realm="solocron"`
	realmWrong = realm + `, error="invalid_token"`
)

func unauthenticated(detail string) *Refusal {
	return &Refusal{Status: http.StatusUnauthorized, Type: "unauthenticated", Title: "Not authenticated", Detail: detail, Scheme: realm}
}

func badToken() *Refusal {
	r := unauthenticated("The token is not known here. Tokens are listed, hashed, in the file that admin.tokens names.")
	r.Scheme = realmWrong
	return r
}

func lockedOut(wait time.Duration) *Refusal {
	return &Refusal{
		Status: http.StatusTooManyRequests, Type: "locked-out", Title: "Too many bad tokens",
		Detail: "Too many tokens from your address were not known here: none is looked at for some time.", Retry: wait,
	}
}

func crossOrigin() *Refusal {
	return &Refusal{
		Status: http.StatusForbidden, Type: "cross-origin", Title: "Cross-origin request",
		Detail: "A page of another site may not change anything here: Sec-Fetch-Site or Origin says that this is one.",
	}
}
