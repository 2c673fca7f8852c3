package redislease

import "slices"

// divide puts the items 0..n-1 for which wanted returns a key into chunks that one
// run of a script can take: at most chunkLimit, and of one shard if the server is
// part of a cluster. Items of one key stay in their order.
func (s *Store) divide(n int, wanted func(int) (string, bool)) [][]int32 {
	if n > 1 && s.sharded.Load() {
		return byShard(n, wanted)
	}
	return inTurn(n, wanted)
}

// inTurn divides items as they come.
func inTurn(n int, wanted func(int) (string, bool)) [][]int32 {
	if n == 1 {
		if _, ok := wanted(0); !ok {
			return nil
		}
		one := new(struct {
			parts [1][]int32
			items [1]int32
		})
		one.parts[0] = one.items[:]
		return one.parts[:]
	}
	items := make([]int32, 0, n)
	for i := range n {
		if _, ok := wanted(i); ok {
			items = append(items, int32(i))
		}
	}
	return slices.Collect(slices.Chunk(items, chunkLimit))
}

// byShard divides items into chunks of one shard each.
func byShard(n int, wanted func(int) (string, bool)) [][]int32 {
	of := make([]int8, n)
	var counts [shards]int
	for i := range n {
		of[i] = -1
		if key, ok := wanted(i); ok {
			of[i] = int8(shard(key))
			counts[of[i]]++
		}
	}
	var next [shards]int
	total := 0
	for i, count := range counts {
		next[i] = total
		total += count
	}
	items := make([]int32, total)
	for i, sh := range of {
		if sh >= 0 {
			items[next[sh]] = int32(i)
			next[sh]++
		}
	}
	return chunks(items, counts)
}

func chunks(items []int32, counts [shards]int) [][]int32 {
	parts := make([][]int32, 0, shards+len(items)/chunkLimit)
	start := 0
	for _, count := range counts {
		for end := start + count; start < end; {
			stop := min(start+chunkLimit, end)
			parts = append(parts, items[start:stop:stop])
			start = stop
		}
	}
	return parts
}
