package jobs

import (
	"fmt"
	"os"
	"strings"
)

// Secret is a string that should not stand in the YAML: written there as
// { env: NAME } or { file: PATH }, or literally where that is harmless. It is
// read when it is used, so that a rotated file counts, and never printed.
type Secret struct {
	Literal string
	Env     string
	File    string
}

// IsZero reports whether nothing was written.
func (s Secret) IsZero() bool { return s == Secret{} }

// Value reads the secret. The error names where it was looked for, not what was found.
func (s Secret) Value() (string, error) {
	switch {
	case s.Env != "":
		v, ok := os.LookupEnv(s.Env)
		if !ok {
			return "", fmt.Errorf("environment variable %s is not set", s.Env)
		}
		return v, nil
	case s.File != "":
		b, err := os.ReadFile(s.File)
		if err != nil {
			return "", err
		}
		return strings.TrimRight(string(b), "\r\n"), nil
	}
	return s.Literal, nil
}

// String hides the value: it says only where the secret comes from.
func (s Secret) String() string {
	switch {
	case s.Env != "":
		return "[env " + s.Env + "]"
	case s.File != "":
		return "[file " + s.File + "]"
	case s.Literal != "":
		return "[secret]"
	}
	return ""
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the value from JSON, YAML and slog.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
