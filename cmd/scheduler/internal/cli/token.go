package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const maxToken = 4 << 10 // bytes

// readToken returns the token of a file, or what the environment says; "": none. No
// error holds any of it.
func readToken(file string, env func(string) string) (string, error) {
	if file == "" {
		if token := env("SOLOCRON_TOKEN"); token != "" {
			return cleanToken(token, "SOLOCRON_TOKEN")
		}
		if file = env("SOLOCRON_TOKEN_FILE"); file == "" {
			return "", nil
		}
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	defer f.Close()
	return ReadToken(f, "token file "+file)
}

// ReadToken reads a token, without the line break after it. Where is said in errors.
func ReadToken(r io.Reader, where string) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxToken+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", where, err)
	}
	return cleanToken(string(text), where)
}

func cleanToken(text, where string) (string, error) {
	token := strings.TrimSpace(text)
	switch {
	case token == "":
		return "", errors.New(where + " holds no token")
	case len(token) > maxToken:
		return "", fmt.Errorf("%s is larger than %d bytes", where, maxToken)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", errors.New(where + " holds more than one token, or characters that no token has")
	}
	return token, nil
}
