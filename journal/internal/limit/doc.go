// Package limit bounds what goes into a journal, in the same way for each:
// what is only for people is cut, what something hangs on is refused.
package limit
