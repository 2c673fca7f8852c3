package redistest

import (
	"bytes"
	"fmt"
	"io"
)

const replyLimit = 64 << 10

// readUntil reads from r until want was read, and fails on an error reply or
// when a sane reply should have ended.
func readUntil(r io.Reader, want string) error {
	var got []byte
	part := make([]byte, 4096)
	for {
		n, err := r.Read(part)
		got = append(got, part[:n]...)
		switch {
		case bytes.Contains(got, []byte(want)):
			return nil
		case bytes.HasPrefix(got, []byte("-")) && bytes.HasSuffix(got, []byte("\n")):
			return fmt.Errorf("redis-server says %q", bytes.TrimSpace(got))
		case err != nil:
			return fmt.Errorf("no %q in the reply: %w", want, err)
		case len(got) > replyLimit:
			return fmt.Errorf("no %q in the first %d bytes of the reply", want, replyLimit)
		}
	}
}
