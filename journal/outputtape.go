package journal

import "slices"

const (
	// maxLine is the longest line in bytes of which all is kept: what a job
	// passes on of a long line, and the note that it is cut.
	maxLine   = MaxChunk + 1<<10
	firstRoom = 512       // bytes of a new block
	headPart  = HeadLimit // bytes of a full block of the head
	minRoom   = 256       // bytes behind the head below which it is not worth it
)

// tape is the output of one attempt that is not written yet: blocks in the
// order of their offsets, those of the head first. Beyond its room the oldest
// behind the head give way. It does no I/O and has no lock.
type tape struct {
	measure
	attempt int
	total   int64 // bytes printed so far
	lost    int64 // bytes of them that were not kept or gave way
	blocks  []*block
	flight  int    // so many blocks, the first, are being written: they stay
	held    int    // bytes of memory of all blocks and the spare
	ring    int    // bytes of memory of the blocks behind the head
	spare   []byte // of a block that gave way, for the next
}

// measure is what is kept of an output.
type measure struct {
	head int64 // bytes from the beginning that never give way
	room int   // bytes of the blocks behind the head
}

// part is how many bytes a full block has. Behind the head the room holds
// several, so that most of it stays used when one gives way.
func (m measure) part(head bool) int {
	if head {
		return headPart
	}
	return min(MaxChunk, m.room/4)
}

// newTape returns a tape for an output of which limit bytes, above 0, are kept.
func newTape(attempt, limit int) *tape {
	room := limit - HeadLimit
	if room < minRoom {
		room = 0
	}
	return &tape{attempt: attempt, measure: measure{int64(min(limit, HeadLimit)), room}}
}

// line takes one line, which has no newline in it. A long one becomes several
// records.
func (t *tape) line(ms int64, stream, text string) {
	rest := fit(text, maxLine)
	cut := len(text) - len(rest)
	for {
		head, room := t.place()
		piece := fit(rest, room)
		if head && piece == "" && rest != "" {
			t.head = t.total // too little is left of it for a rune
			continue
		}
		rest = rest[len(piece):]
		t.put(head, ms, stream, piece, rest != "" || cut > 0)
		if rest == "" {
			break
		}
	}
	if cut > 0 {
		t.skip(int64(cut) + 1)
	}
}

// place says whether the next record belongs to the head, and how long its
// text may be: in the head its newline must fit, too.
func (t *tape) place() (head bool, room int) {
	head = t.total < t.head
	room = t.part(head || t.room == 0) - packHead - recordHead
	if head {
		room = min(room, int(t.head-t.total)-1)
	}
	return head, room
}

// skip counts bytes that are printed and not kept.
func (t *tape) skip(n int64) {
	t.total += n
	t.lost += n
}

// put keeps one record; what is too much gives way.
func (t *tape) put(head bool, ms int64, stream, piece string, open bool) {
	size := int64(len(piece))
	if !open {
		size++
	}
	if !head && t.room == 0 {
		t.skip(size)
		return
	}
	b := t.block(head, len(piece)+recordHead)
	b.record(ms, stream, piece, open)
	t.total += size
	t.shrink(t.room)
}

// block returns the last block if it has place for so many bytes that follow
// without a gap, or else a new one.
func (t *tape) block(head bool, need int) *block {
	if n := len(t.blocks); n > 0 {
		b := t.blocks[n-1]
		if !b.sealed && b.head == head && b.end() == t.total && len(b.data)+need <= t.part(head) {
			t.grow(b, need)
			return b
		}
	}
	b := &block{offset: t.total, head: head}
	if t.spare != nil && !head {
		b.data, t.spare = t.spare, nil
		t.ring += cap(b.data)
	} else {
		t.grow(b, packHead+need)
	}
	b.data = b.data[:packHead]
	t.blocks = append(t.blocks, b)
	return b
}

// grow makes place for so many bytes, doubling what there is.
func (t *tape) grow(b *block, need int) {
	need += len(b.data)
	was := cap(b.data)
	if need <= was {
		return
	}
	data := make([]byte, len(b.data), min(t.part(b.head), max(need, 2*was, firstRoom)))
	copy(data, b.data)
	b.data = data
	t.count(b, cap(data)-was)
}

// count keeps account of memory that b takes or frees.
func (t *tape) count(b *block, change int) {
	t.held += change
	if !b.head {
		t.ring += change
	}
}

// shrink lets the oldest blocks behind the head give way until the rest takes
// at most limit bytes. Those that are being written stay.
func (t *tape) shrink(limit int) {
	for i := t.flight; t.ring > limit && i < len(t.blocks); {
		if t.blocks[i].head {
			i++
			continue
		}
		b := t.blocks[i]
		t.blocks = slices.Delete(t.blocks, i, i+1)
		t.lost += b.size
		t.count(b, -cap(b.data))
		if t.spare == nil && cap(b.data) == t.part(false) {
			t.spare = b.data
			t.held += cap(t.spare)
		}
	}
}

// take returns the first chunks, about limit bytes and at least one, if there
// is any; they count as being written until settle. All says that it took
// everything.
func (t *tape) take(limit int) (chunks []Chunk, all bool) {
	for size := 0; t.flight < len(t.blocks); t.flight++ {
		c := t.blocks[t.flight].seal(t.attempt)
		if size += len(c.Data); size > limit && t.flight > 0 {
			return chunks, false
		}
		chunks = append(chunks, c)
	}
	return chunks, true
}

// settle ends the writing of what take returned: it is written, or has to be
// taken again.
func (t *tape) settle(written bool) {
	if written {
		for _, b := range t.blocks[:t.flight] {
			t.count(b, -cap(b.data))
		}
		t.blocks = slices.Delete(t.blocks, 0, t.flight)
	}
	t.flight = 0
	if len(t.blocks) == 0 {
		t.held -= cap(t.spare)
		t.blocks, t.spare = nil, nil
	}
	t.shrink(t.room)
}

// waste gives up everything that is not written.
func (t *tape) waste() {
	for _, b := range t.blocks {
		t.lost += b.size
	}
	t.blocks, t.spare, t.flight, t.held, t.ring = nil, nil, 0, 0, 0
}

// free gives back memory that is only kept for later.
func (t *tape) free() {
	t.held -= cap(t.spare)
	t.spare = nil
}
