package access

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

const (
	minToken  = 22        // bytes: 22 characters of base64 can carry 132 bits
	maxToken  = 512       // bytes
	maxTokens = 1000      // in a file: each attempt is compared with all of them
	maxFile   = 256 << 10 // bytes of a file
	minKinds  = 8         // different characters in a token
)

// digest is the SHA-256 of a token. A slow hash is for passwords, which can be
// guessed; a token of 128 random bits cannot, however fast one may try. A fast one
// keeps a flood of bad tokens from costing what it is meant to cost.
type digest [sha256.Size]byte

// entry is one token of a file.
type entry struct {
	name   string
	role   Role
	digest digest
}

// mark tells the token apart in a cookie, without giving away its digest.
func (e entry) mark() string {
	sum := sha256.Sum256(e.digest[:])
	return hex.EncodeToString(sum[:8])
}

// NewToken makes a token of 256 random bits.
func NewToken() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return "sc_" + base64.RawURLEncoding.EncodeToString(raw)
}

// Line returns the line for a file of tokens, without a line break, that makes
// whoever has token known by name with a role. The error does not hold the token.
func Line(name string, role Role, token string) (string, error) {
	if err := errors.Join(badName(name), weak(token)); err != nil {
		return "", err
	}
	if _, err := ParseRole(role.String()); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(token))
	return name + " " + role.String() + " " + hashPrefix + hex.EncodeToString(sum[:]), nil
}

const hashPrefix = "sha256:"

func badName(s string) error {
	if !fit(s) || strings.ContainsAny(s, " #") {
		return fmt.Errorf("name %.40q: has 1 to %d printable characters of ASCII, no space and no #", s, maxName)
	}
	return nil
}

// weak returns why s is no token, as far as that can be seen.
func weak(s string) error {
	if len(s) < minToken || len(s) > maxToken {
		return fmt.Errorf("the token has %d bytes: it must have %d to %d, at least 128 bits of them random", len(s), minToken, maxToken)
	}
	kinds := map[byte]bool{}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return errors.New("the token holds a space or a character that is not printable ASCII")
		}
		kinds[s[i]] = true
	}
	if len(kinds) < minKinds {
		return fmt.Errorf("the token is made of %d different characters: that is not random", len(kinds))
	}
	return nil
}

// parseTokens reads the text of a file of tokens. The error says the line, and
// nothing of what may be a token written there by mistake.
func parseTokens(text []byte) ([]entry, error) {
	var (
		all  []entry
		seen = map[digest]int{}
	)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		e, err := parseToken(line)
		if err == nil && seen[e.digest] > 0 {
			err = fmt.Errorf("is the token of line %d again", seen[e.digest])
		}
		if err == nil && len(all) == maxTokens {
			err = fmt.Errorf("is one too many: at most %d tokens", maxTokens)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		seen[e.digest] = n
		all = append(all, e)
	}
	return all, lines.Err()
}

func parseToken(line string) (entry, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return entry{}, fmt.Errorf("has %d words: it must be NAME ROLE %sHEX, as `scheduler token hash` prints it", len(fields), hashPrefix)
	}
	if badName(fields[0]) != nil {
		return entry{}, errors.New("the first word is no name")
	}
	role, err := ParseRole(fields[1])
	if err != nil {
		return entry{}, errors.New("the second word is not one of viewer, operator, admin")
	}
	e := entry{name: fields[0], role: role}
	hash, ok := strings.CutPrefix(fields[2], hashPrefix)
	raw, err := hex.DecodeString(hash)
	if !ok || err != nil || len(raw) != len(e.digest) {
		return entry{}, fmt.Errorf("the third word is not %s and 64 hexadecimal digits: a token is never written here itself", hashPrefix)
	}
	copy(e.digest[:], raw)
	return e, nil
}

// find returns the entry of token. How long it takes says nothing of which is meant,
// or how nearly.
func find(all []entry, token string) (entry, bool) {
	sum := sha256.Sum256([]byte(token))
	at := -1
	for i := range all {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(all[i].digest[:], sum[:]), i, at)
	}
	if at < 0 {
		return entry{}, false
	}
	return all[at], true
}
