package election

import "context"

// inKey is the key of the handles that a context carries.
type inKey struct{}

// within is one handle that a context carries, and those around it.
type within struct {
	held *Handle
	next *within
}

// NewContext returns a context that carries h: to lock the same key under it
// gives another handle of the same acquisition, with the same token. Do does
// this by itself. Every goroutine that is given such a context acts for the
// holder: the lock does not keep them from one another.
func NewContext(ctx context.Context, h *Handle) context.Context {
	around, _ := ctx.Value(inKey{}).(*within)
	return context.WithValue(ctx, inKey{}, &within{held: h, next: around})
}

// FromContext returns the innermost handle that ctx carries, of whatever key.
func FromContext(ctx context.Context) (*Handle, bool) {
	in, _ := ctx.Value(inKey{}).(*within)
	if in == nil {
		return nil, false
	}
	return in.held, true
}

// Token returns the fencing token of the innermost lock that ctx is under; false
// if there is none. Send it along with every effect: see package fence for what
// the receiver does with it.
func Token(ctx context.Context) (int64, bool) {
	h, ok := FromContext(ctx)
	if !ok {
		return 0, false
	}
	return h.Token(), true
}

// again returns a handle within the one of the same lock that ctx carries; nil
// if it carries none that is still in hand.
func (l *Locks) again(ctx context.Context, name string) (*Handle, error) {
	in, _ := ctx.Value(inKey{}).(*within)
	for ; in != nil; in = in.next {
		if g := in.held.grip; g.locks == l && g.name == name && !g.unlocked() {
			return g.nest()
		}
	}
	return nil, nil
}
