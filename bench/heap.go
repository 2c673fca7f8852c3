package main

import "runtime"

// liveHeap is what the heap holds after everything unused is gone, in bytes.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // what the first freed by finalizers
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
