package wire_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/solocron/solocron/guard/internal/wire"
)

func order() *wire.Order {
	return &wire.Order{
		Path: "/bin/echo", Dir: "/tmp", Args: []string{"echo", "", "ü"}, Env: []string{"A=1", "B="},
		Grace: 5, Deadline: wire.Deadline{Stop: -7, Dead: wire.Never},
	}
}

func TestOrderComesOutAsItWentIn(t *testing.T) {
	t.Parallel()
	b := order().Encode()
	n, ok := wire.BodySize(b[:wire.HeadSize])
	if !ok || n != len(b)-wire.HeadSize {
		t.Fatalf("got %d, %t for the size of %d bytes", n, ok, len(b)-wire.HeadSize)
	}
	got, ok := wire.DecodeOrder(b[wire.HeadSize:])
	if !ok || !reflect.DeepEqual(got, order()) {
		t.Errorf("got %+v, %t, want %+v", got, ok, order())
	}
}

func TestOrderThatIsCutOrTooLongIsNone(t *testing.T) {
	t.Parallel()
	body := order().Encode()[wire.HeadSize:]
	for n := range body {
		if _, ok := wire.DecodeOrder(body[:n]); ok {
			t.Errorf("%d of %d bytes are taken for an order", n, len(body))
		}
	}
	if _, ok := wire.DecodeOrder(append(body, 0)); ok {
		t.Error("an order with a byte too many is taken")
	}
	huge := order()
	huge.Env = []string{strings.Repeat("x", wire.MaxOrder)}
	if b := huge.Encode(); b != nil {
		t.Errorf("got %d bytes, want none above the limit", len(b))
	}
}

func TestWhatIsNoHeadIsRefused(t *testing.T) {
	t.Parallel()
	head := order().Encode()[:wire.HeadSize]
	wrong, long := append([]byte{}, head...), append([]byte{}, head...)
	wrong[0]++
	long[15] = 1
	for _, b := range [][]byte{nil, head[:15], wrong, long, make([]byte, wire.HeadSize)} {
		if n, ok := wire.BodySize(b); ok {
			t.Errorf("%v is taken for the head of %d bytes", b, n)
		}
	}
}

func FuzzOrderIsReadWithoutPanic(f *testing.F) {
	f.Add(order().Encode()[wire.HeadSize:])
	f.Fuzz(func(t *testing.T, body []byte) {
		if o, ok := wire.DecodeOrder(body); ok && len(o.Encode()) != wire.HeadSize+len(body) {
			t.Errorf("%v is not the only form of its order", body)
		}
	})
}

func TestRecordsAndDeadlinesComeOutAsTheyWentIn(t *testing.T) {
	t.Parallel()
	r := wire.Record{Kind: wire.Exited, Status: 256, User: 1, System: -1, MaxRSS: 1 << 40}
	b := r.Append(nil)
	if got := wire.DecodeRecord(b); got != r || len(b) != wire.RecordSize {
		t.Errorf("got %+v in %d bytes, want %+v in %d", got, len(b), r, wire.RecordSize)
	}
	d := wire.Deadline{Stop: 3, Dead: wire.Never}
	b = d.Append(nil)
	if got := wire.DecodeDeadline(b); got != d || len(b) != wire.DeadlineSize {
		t.Errorf("got %+v in %d bytes, want %+v in %d", got, len(b), d, wire.DeadlineSize)
	}
}
