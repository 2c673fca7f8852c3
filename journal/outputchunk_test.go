package journal_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/solocron/solocron/journal"
)

func FuzzAChunkOfAnyBytesIsReadWithoutPanic(f *testing.F) {
	at := time.UnixMilli(1e12).UTC()
	good := journal.Pack(0, 2, []journal.Line{{At: at, Stream: "stderr", Text: "a"}, {At: at, Stream: "stdout", Text: "b", Open: true}})
	f.Add(good.Data)
	f.Add([]byte(nil))
	f.Add(append(bytes.Clone(good.Data), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := journal.Chunk{Offset: 5, Data: data}
		lines := c.Lines()
		if !c.Valid() && (len(lines) > 0 || c.Size() != 0 || c.Attempt() != 0) {
			t.Fatal("something is read of a chunk that is not valid")
		}
		if c.End() < c.Offset {
			t.Fatalf("ends at %d", c.End())
		}
		for _, l := range lines {
			if !utf8.ValidString(l.Text) || l.Stream != "stdout" && l.Stream != "stderr" {
				t.Fatalf("got %+v", l)
			}
		}
	})
}

func TestTimesOfLinesNeverGoBack(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1e12).UTC()
	c := journal.Pack(0, 1, []journal.Line{{At: at, Stream: "stdout", Text: "a"}, {At: at.Add(-time.Hour), Stream: "stdout", Text: "b"}})
	want := []journal.Line{{At: at, Stream: "stdout", Text: "a"}, {At: at, Stream: "stdout", Text: "b"}}
	if got := c.Lines(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if c.Size() != 4 || !c.Head() || c.Attempt() != 1 {
		t.Errorf("size %d, head %v, attempt %d", c.Size(), c.Head(), c.Attempt())
	}
}

func TestTheLevelTakesAwayWhatIsTooMuchAndHardlyMore(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		sizes   []int
		surplus int
		want    int
	}{
		{[]int{10, 20, 30}, 5, 25},
		{[]int{10, 20, 30}, 10, 20},
		{[]int{10, 20, 30}, 14, 18},
		{[]int{10, 20, 30}, 15, 17}, // two are cut, so one too much
		{[]int{10, 20, 30}, 60, 0},
		{[]int{10, 20, 30}, 61, 0},
		{[]int{7}, 3, 4},
		{nil, 3, 0},
	} {
		if got := journal.Level(test.sizes, test.surplus); got != test.want {
			t.Errorf("level of %v for %d: got %d, want %d", test.sizes, test.surplus, got, test.want)
		}
	}
	sizes := make([]int, 1000)
	sum := 0
	for i := range sizes {
		sizes[i] = rand.IntN(1 << 20)
		sum += sizes[i]
	}
	for surplus := 1; surplus < sum; surplus += sum / 97 {
		taken, level := 0, journal.Level(sizes, surplus)
		for _, s := range sizes {
			taken += max(0, s-level)
		}
		if taken < surplus || taken > surplus+len(sizes) {
			t.Fatalf("level for %d takes %d", surplus, taken)
		}
	}
}
