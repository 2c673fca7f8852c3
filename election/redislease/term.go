package redislease

import "time"

// term is what many items of one call have in common. It is sent once.
type term struct {
	ttl, delay, keep time.Duration
	holder           string
}

// terms are those of a call; an item names its own by the place, from 1.
type terms struct {
	list []term
	of   []int16 // by item; nil: there is one, for all
}

func newTerms(items []int32, of func(int32) term) terms {
	t := terms{list: []term{of(items[0])}}
	for n, i := range items[1:] {
		x := of(i)
		if t.of == nil {
			if x == t.list[0] {
				continue
			}
			t.several(n+1, len(items))
		}
		t.of[n+1] = t.place(x)
	}
	return t
}

// several makes room for the terms of so many items. The first ones have the first.
func (t *terms) several(first, all int) {
	t.of = make([]int16, all)
	for n := range first {
		t.of[n] = 1
	}
}

// at is the place of the term of item n.
func (t *terms) at(n int) int16 {
	if t.of == nil {
		return 1
	}
	return t.of[n]
}

// place finds x among the terms, the last first, or adds it.
func (t *terms) place(x term) int16 {
	for n := len(t.list); n > 0; n-- {
		if t.list[n-1] == x {
			return int16(n)
		}
	}
	t.list = append(t.list, x)
	return int16(len(t.list))
}

// write adds the terms as arguments: see batch.lua.
func (t *terms) write(to *text) {
	for i := range t.list {
		x := &t.list[i]
		to.number(x.ttl.Milliseconds(), 8)
		to.number(x.delay.Milliseconds(), 8)
		to.number(x.keep.Milliseconds(), 12)
		to.number(x.ttl.Milliseconds()+x.delay.Milliseconds()+x.keep.Milliseconds(), 12)
		to.number(int64(len(x.holder)), 3)
		to.WriteByte(' ')
		to.WriteString(x.holder)
		to.end()
	}
}
