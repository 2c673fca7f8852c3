package oidc_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// issuer is an OpenID Connect issuer that signs in whoever comes, as who it is told.
type issuer struct {
	*httptest.Server
	key *rsa.PrivateKey

	mu     sync.Mutex
	claims map[string]any            // of the ID tokens, over what they hold anyway
	codes  map[string]grant          // each is good once
	forge  func(token string) string // what becomes of an ID token on its way
	secret string
	asked  int // for what it is
}

// grant is what a code was given for.
type grant struct{ challenge, nonce, redirect string }

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{key: key, codes: map[string]grant{}, claims: map[string]any{}, secret: "s3cret of the client", forge: func(s string) string { return s }}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	i.asked++
	i.mu.Unlock()
	reply(w, map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
		"jwks_uri": i.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
	})
}

func (i *issuer) keys(w http.ResponseWriter, _ *http.Request) {
	reply(w, map[string]any{"keys": []any{map[string]string{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1",
		"n": encode(i.key.N.Bytes()), "e": encode(big.NewInt(int64(i.key.E)).Bytes()),
	}}})
}

// authorize is where the browser is sent, and is sent back from with a code.
func (i *issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("client_id") != "solocron" || q.Get("response_type") != "code" {
		http.Error(w, "not a code flow with PKCE", http.StatusBadRequest)
		return
	}
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	code := encode(raw)
	i.mu.Lock()
	i.codes[code] = grant{q.Get("code_challenge"), q.Get("nonce"), q.Get("redirect_uri")}
	i.mu.Unlock()
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

// token exchanges a code, once, for whoever has the verifier and the secret.
func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	code := r.PostFormValue("code")
	g, ok := i.codes[code]
	id, secret, basic := r.BasicAuth()
	id, _ = url.QueryUnescape(id)
	secret, _ = url.QueryUnescape(secret)
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || !basic || id != "solocron" || secret != i.secret || encode(sum[:]) != g.challenge || r.PostFormValue("redirect_uri") != g.redirect {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		reply(w, map[string]string{"error": "invalid_grant", "error_description": "you sent " + secret + code})
		return
	}
	delete(i.codes, code)
	claims := map[string]any{
		"iss": i.URL, "sub": "user-1", "aud": "solocron", "nonce": g.nonce,
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	}
	maps.Copy(claims, i.claims)
	reply(w, map[string]any{"access_token": "opaque", "token_type": "Bearer", "id_token": i.forge(i.sign(claims))})
}

func (i *issuer) sign(claims map[string]any) string {
	body, _ := json.Marshal(claims)
	text := encode([]byte(`{"alg":"RS256","kid":"1","typ":"JWT"}`)) + "." + encode(body)
	sum := sha256.Sum256([]byte(text))
	mac, _ := rsa.SignPKCS1v15(nil, i.key, crypto.SHA256, sum[:])
	return text + "." + encode(mac)
}

// says sets what ID tokens hold from now on.
func (i *issuer) says(claims map[string]any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.claims = claims
}

func reply(w http.ResponseWriter, what any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(what)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
