package journal

import (
	"encoding/binary"
	"math"
)

// block is a chunk in the making: packHead bytes that seal fills, then a record
// for each line or part of one.
type block struct {
	offset int64
	size   int64 // bytes of output it stands for
	first  int64 // time of its first record in milliseconds
	last   int64 // of its last
	head   bool
	sealed bool // nothing is added any more: it may have been written as it is
	data   []byte
}

func (b *block) end() int64 { return b.offset + b.size }

// record appends one record. Should a clock go back, its time is that of the
// record before.
func (b *block) record(ms int64, stream, text string, open bool) {
	if b.size == 0 {
		b.first = max(0, ms)
		b.last = b.first
	}
	ms = max(b.last, ms)
	kind := uint64(len(text)) << flagBits
	if stream == "stderr" {
		kind |= flagStderr
	}
	b.size += int64(len(text))
	if open {
		kind |= flagOpen
	} else {
		b.size++
	}
	b.data = binary.AppendUvarint(b.data, kind)
	b.data = binary.AppendUvarint(b.data, uint64(ms-b.last))
	b.data = append(b.data, text...)
	b.last = ms
}

// seal ends b and returns the chunk that it has become.
func (b *block) seal(attempt int) Chunk {
	b.sealed = true
	b.data[0] = packVersion
	binary.BigEndian.PutUint32(b.data[1:], uint32(b.size))
	binary.BigEndian.PutUint16(b.data[5:], uint16(min(max(0, attempt), math.MaxUint16)))
	binary.BigEndian.PutUint64(b.data[7:], uint64(b.first))
	return Chunk{Offset: b.offset, Data: b.data}
}
