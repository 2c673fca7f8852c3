// Package traceid names the trace of a run: the same on every replica, with nothing
// kept anywhere, so that the API can tell it of any run and what traces runs can
// begin with it.
package traceid
