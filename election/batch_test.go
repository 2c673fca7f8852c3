package election

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestBatchSendsTogetherWhatCameWhileOneWasInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var groups []int
		told := 0
		b := batch[int, int]{send: func(in []int) []int {
			groups = append(groups, len(in))
			time.Sleep(time.Second)
			out := make([]int, len(in))
			for i := range in {
				out[i] = 2 * in[i]
			}
			return out
		}, told: func(in, out int) {
			told++
			if out != 2*in {
				t.Errorf("the answer to %d is %d, want %d", in, out, 2*in)
			}
		}}
		const n = 3000
		b.add(0)
		synctest.Wait()
		for i := range n {
			b.add(i)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if told != n+1 {
			t.Errorf("%d of %d were told", told, n+1)
		}
		if len(groups) != 3 || groups[0] != 1 || groups[1] != maxBatch || groups[2] != n-maxBatch {
			t.Errorf("groups = %v, want [1 %d %d]", groups, maxBatch, n-maxBatch)
		}
	})
}
