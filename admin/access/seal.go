package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

const (
	minKey    = 32   // bytes
	maxSealed = 4096 // bytes of a cookie that are looked at; browsers keep no more
)

// sealer signs texts that a browser keeps for us. The first key signs, all are
// believed. A purpose is part of what is signed: what was sealed for one is nothing
// for another.
type sealer struct{ keys [][]byte }

// newSealer takes keys over. Without any it makes one up, which nobody else has.
func newSealer(keys [][]byte) (sealer, error) {
	for _, k := range keys {
		if len(k) < minKey {
			return sealer{}, fmt.Errorf("a key for cookies has %d bytes: it must have at least %d, of them random; `openssl rand -base64 48` makes one", len(k), minKey)
		}
	}
	if len(keys) == 0 {
		own := make([]byte, minKey)
		_, _ = rand.Read(own) // never fails
		keys = [][]byte{own}
	}
	return sealer{keys}, nil
}

func sign(key []byte, purpose string, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("solocron " + purpose + "\x00"))
	mac.Write(text)
	return mac.Sum(nil)
}

// seal returns text with its signature, fit for a cookie.
func (s sealer) seal(purpose string, text []byte) string {
	return encode(text) + "." + encode(sign(s.keys[0], purpose, text))
}

// open returns what was sealed, unless it was changed, or sealed by another key or
// for another purpose.
func (s sealer) open(purpose, sealed string) ([]byte, bool) {
	if len(sealed) > maxSealed {
		return nil, false
	}
	front, back, _ := strings.Cut(sealed, ".")
	text, errText := strict().DecodeString(front)
	mac, errMAC := strict().DecodeString(back)
	if errText != nil || errMAC != nil {
		return nil, false
	}
	good := false
	for _, key := range s.keys {
		good = hmac.Equal(sign(key, purpose, text), mac) || good
	}
	return text, good
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// strict reads what encode writes, and no other spelling of it.
func strict() *base64.Encoding { return base64.RawURLEncoding.Strict() }
