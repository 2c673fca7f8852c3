package guard

import (
	"math"
	"time"

	"github.com/solocron/solocron/guard/internal/wire"
)

// Deadline says until when a program may run, in readings of Now, which mean the
// same in every process of the machine.
type Deadline struct {
	Stop time.Duration // its process group gets SIGTERM
	Dead time.Duration // it, and all it started, gets SIGKILL
}

// Never is a moment that does not come.
const Never = time.Duration(math.MaxInt64)

// Unlimited is the deadline of a program that may run as long as it likes.
func Unlimited() Deadline { return Deadline{Stop: Never, Dead: Never} }

func (d Deadline) wire() wire.Deadline {
	return wire.Deadline{Stop: int64(d.Stop), Dead: int64(d.Dead)}
}
