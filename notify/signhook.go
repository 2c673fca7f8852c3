package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the header of a webhook that holds what Sign returns.
const SignatureHeader = "Solocron-Signature"

// Sign signs the body of a request that is sent at now: t=<Unix seconds>,v1=<hexadecimal
// HMAC-SHA256 of the seconds, a dot and the body>.
func Sign(key, body []byte, now time.Time) string {
	seconds := strconv.FormatInt(now.Unix(), 10)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac(key, seconds, body))
}

// ErrSignature is a signature that is not the one of the body, or that is too old.
var ErrSignature = errors.New("the signature is not that of the body, or too old")

// Verify returns nil if header is a signature of body with key, made within tolerance of
// now: a receiver that checks this takes nothing from strangers, and nothing twice
// after that time. The error matches ErrSignature.
func Verify(key, body []byte, header string, now time.Time, tolerance time.Duration) error {
	seconds, sum, ok := strings.Cut(strings.TrimPrefix(header, "t="), ",v1=")
	at, err := strconv.ParseInt(seconds, 10, 64)
	got, bad := hex.DecodeString(sum)
	if !ok || err != nil || bad != nil || now.Sub(time.Unix(at, 0)).Abs() > tolerance || !hmac.Equal(got, mac(key, seconds, body)) {
		return ErrSignature
	}
	return nil
}

func mac(key []byte, seconds string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(seconds + "."))
	h.Write(body)
	return h.Sum(nil)
}
