package redistest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits on what a sane server replies to what is asked here.
const (
	bulkLimit  = 1 << 20
	arrayLimit = 10_000
	depthLimit = 8
)

// readReply reads one reply of RESP2 as text: of an array the elements, a line
// each; of a null nothing. An error reply is an error.
func readReply(r *bufio.Reader, depth int) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("reading a reply: %w", err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", errors.New("redis-server sent an empty line")
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+', ':':
		return rest, nil
	case '-':
		return "", fmt.Errorf("redis-server says %q", rest)
	case '$':
		return readBulk(r, rest)
	case '*':
		return readArray(r, rest, depth)
	}
	return "", fmt.Errorf("redis-server sent %q", line)
}

func readBulk(r *bufio.Reader, length string) (string, error) {
	n, err := strconv.Atoi(length)
	switch {
	case err != nil || n > bulkLimit:
		return "", fmt.Errorf("redis-server announces a string of %q bytes", length)
	case n < 0:
		return "", nil
	}
	text := make([]byte, n+len("\r\n"))
	if _, err := io.ReadFull(r, text); err != nil {
		return "", fmt.Errorf("reading a string of %d bytes: %w", n, err)
	}
	return string(text[:n]), nil
}

func readArray(r *bufio.Reader, length string, depth int) (string, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n > arrayLimit || depth == depthLimit {
		return "", fmt.Errorf("redis-server announces %q elements, %d levels deep", length, depth)
	}
	var lines []string
	var failed error
	for range n {
		line, err := readReply(r, depth+1)
		failed = errors.Join(failed, err)
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), failed
}
