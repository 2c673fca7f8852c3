package election

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestBatchSendsTogetherWhatCameWhileOneWasInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var groups []int
		b := batch[int, int]{send: func(in []int) []int {
			groups = append(groups, len(in))
			time.Sleep(time.Second)
			out := make([]int, len(in))
			for i := range in {
				out[i] = 2 * in[i]
			}
			return out
		}}
		const n = 3000
		var wg sync.WaitGroup
		wg.Go(func() { b.do(0) })
		synctest.Wait()
		for i := range n {
			wg.Go(func() {
				if got := b.do(i); got != 2*i {
					t.Errorf("do(%d) = %d, want %d", i, got, 2*i)
				}
			})
		}
		wg.Wait()
		if len(groups) != 3 || groups[0] != 1 || groups[1] != maxBatch || groups[2] != n-maxBatch {
			t.Errorf("groups = %v, want [1 %d %d]", groups, maxBatch, n-maxBatch)
		}
	})
}
