// Package wire is what the scheduler and a guard say to each other over two
// pipes: one order, then deadlines, in one direction; records in the other.
//
// It imports nothing: a guard speaks it before most packages of its program are
// initialised. Numbers are little endian, times are nanoseconds of
// CLOCK_BOOTTIME, which are the same in every process of a machine.
package wire

const (
	// OrdersFD is the descriptor on which a guard reads its order and deadlines.
	OrdersFD = 3
	// RecordsFD is the descriptor on which a guard writes records.
	RecordsFD = 4
	// MaxOrder bounds an order in bytes. Linux starts no program with more
	// arguments and environment than 6 MiB.
	MaxOrder = 8 << 20
	// Never is a deadline that does not come.
	Never = int64(1<<63 - 1)
)
