package scheduler

import (
	"time"
)

// rank is the place of self among the live replicas for a job, 0 for the first,
// by rendezvous hashing: every replica computes the same order without asking,
// jobs spread evenly, and a replica that comes or goes moves only its share.
func rank(live []string, self, job string) int {
	mine, place := score(self, job), 0
	for _, replica := range live {
		if replica == self {
			continue
		}
		s := score(replica, job)
		if s > mine || s == mine && replica < self {
			place++
		}
	}
	return place
}

// score is FNV-1a over both names, finished by a mixer: FNV alone leaves the
// scores of similar names in the same order for most jobs.
func score(replica, job string) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range [2]string{replica, job} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// perTick is what one more tick in a burst adds to the head start: about what
// claiming and starting it costs the store.
const perTick = 40 * time.Microsecond

// headStart is how long a replica of the given rank lets those before it go
// first when n ticks are due together. Jitter is in [0,1).
func headStart(rank, n int, unit time.Duration, jitter float64) time.Duration {
	if rank == 0 {
		return 0
	}
	return time.Duration(rank)*(unit+time.Duration(n)*perTick) + time.Duration(jitter*float64(unit)/2)
}
