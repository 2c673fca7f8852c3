package journal

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// BatchID names a batch of happenings: when it was kept, in milliseconds since
// 1970 on the store's clock, and which of that millisecond it was. The zero ID
// comes before all others.
type BatchID struct{ Ms, Seq uint64 }

// String returns id as Redis writes it: 1796000000123-0.
func (id BatchID) String() string {
	return strconv.FormatUint(id.Ms, 10) + "-" + strconv.FormatUint(id.Seq, 10)
}

// IsZero reports whether id is the zero ID.
func (id BatchID) IsZero() bool { return id == BatchID{} }

// Compare is negative if id comes before other, and 0 if they are the same.
func (id BatchID) Compare(other BatchID) int {
	return cmp.Or(cmp.Compare(id.Ms, other.Ms), cmp.Compare(id.Seq, other.Seq))
}

// ParseBatchID reads what String returns.
func ParseBatchID(text string) (BatchID, error) {
	ms, seq, both := strings.Cut(text, "-")
	var id BatchID
	var err1, err2 error
	id.Ms, err1 = strconv.ParseUint(ms, 10, 64)
	id.Seq, err2 = strconv.ParseUint(seq, 10, 64)
	if !both || err1 != nil || err2 != nil {
		return BatchID{}, fmt.Errorf("batch id %q: such as 1796000000123-0", fit(text, maxPlace))
	}
	return id, nil
}

// Place is that of one happening among all: its batch, and its index in that. The
// zero place comes before all others.
type Place struct {
	Batch BatchID
	Index int
}

const (
	maxPlace = 60 // bytes of one as text
	maxIndex = 1_000_000
)

// String returns p as ParsePlace reads it: 1796000000123-0.2.
func (p Place) String() string { return p.Batch.String() + "." + strconv.Itoa(p.Index) }

// IsZero reports whether p is the zero place.
func (p Place) IsZero() bool { return p == Place{} }

// Compare is negative if p comes before other, and 0 if they are the same.
func (p Place) Compare(other Place) int {
	return cmp.Or(p.Batch.Compare(other.Batch), cmp.Compare(p.Index, other.Index))
}

// ParsePlace reads what String returns. Text comes from outside.
func ParsePlace(text string) (Place, error) {
	batch, index, _ := strings.Cut(text, ".")
	id, err := ParseBatchID(batch)
	if err != nil || len(text) > maxPlace {
		return Place{}, fmt.Errorf("place %q: such as 1796000000123-0.2", fit(text, maxPlace))
	}
	n, err := strconv.ParseUint(index, 10, 64)
	if err != nil || n > maxIndex {
		return Place{}, fmt.Errorf("place %q: the index is a number from 0 to %d", fit(text, maxPlace), maxIndex)
	}
	return Place{id, int(n)}, nil
}
