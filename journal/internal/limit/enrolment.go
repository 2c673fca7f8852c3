package limit

import (
	"fmt"

	"github.com/solocron/solocron/scheduler"
)

const maxGeneration = 1 << 53 // Lua has no larger whole numbers

// Enrolment reports one that a journal cannot take.
func Enrolment(e scheduler.Enrolment) error {
	switch {
	case e.Replica == "" || len(e.Replica) > ID:
		return fmt.Errorf("enrolment of a replica with an id of %d bytes: 1 to %d are allowed", len(e.Replica), ID)
	case e.Revision == "" || len(e.Revision) > Word:
		return fmt.Errorf("enrolment with a revision of %d bytes: 1 to %d are allowed", len(e.Revision), Word)
	case e.Number < 0 || e.Number >= maxGeneration || e.Above < 0 || e.Above >= maxGeneration:
		return fmt.Errorf("enrolment with number %d above %d: 0 to 2^53 are allowed", e.Number, e.Above)
	}
	return nil
}
