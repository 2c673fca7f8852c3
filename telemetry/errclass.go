package telemetry

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// The classes of errors that are not a word of the server's.
const (
	classTimeout = "timeout"
	classRefused = "refused" // nobody listens, or the host is not to be reached
	classClosed  = "closed"  // the connection ended in the middle
	classOther   = "other"
)

// serverWords begin the errors of Redis that somebody can do something about.
var serverWords = []string{
	"READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "MOVED", "ASK", "TRYAGAIN", "BUSY", "NOREPLICAS", "MISCONF", "OOM",
	"NOPERM", "NOAUTH", "WRONGPASS", "NOSCRIPT",
}

// classes returns every class there is.
func classes() []string {
	all := []string{classTimeout, classRefused, classClosed, classOther}
	for _, w := range serverWords {
		all = append(all, strings.ToLower(w))
	}
	return all
}

// classOf says in one of a few words what is the matter, never with anything that
// stands in the message.
func classOf(err error) string {
	if w := serverWord(err); w != "" {
		return w
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), timedOut(err):
		return classTimeout
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), unknownHost(err):
		return classRefused
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return classClosed
	}
	return classOther
}

// serverWord is the word of Redis that a message begins with, or that stands behind
// the path to it; "": there is none.
func serverWord(err error) string {
	for part := range strings.SplitSeq(err.Error(), ": ") {
		first, _, _ := strings.Cut(part, " ")
		for _, w := range serverWords {
			if first == w {
				return strings.ToLower(w)
			}
		}
	}
	return ""
}

func timedOut(err error) bool {
	n, ok := errors.AsType[net.Error](err)
	return ok && n.Timeout()
}

func unknownHost(err error) bool {
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}
