package redislease

// byShard divides the items 0..n-1 for which wanted returns a key into chunks
// of one shard each, at most chunkLimit long. Within a shard their order stays,
// so that items of one key are decided in turn.
func byShard(n int, wanted func(int) (string, bool)) [][]int32 {
	if n == 1 {
		if _, ok := wanted(0); ok {
			return [][]int32{{0}}
		}
		return nil
	}
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
