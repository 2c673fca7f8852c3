package journal

import (
	"context"
	"time"
)

// AskLimit is how long a question waits for answers.
const AskLimit = 500 * time.Millisecond

// Inquiry asks the replicas what they saw of a tick, and answers them.
type Inquiry interface {
	// Run answers the others until ctx ends. It returns nil then, and at once
	// the reason why it can never run.
	Run(ctx context.Context) error
	// Ask returns what each replica saw, this one included, by its ID: once all
	// of expect have answered, ctx has ended, or AskLimit is over. Whoever is
	// missing has not answered in time. An error says that the others could not
	// be asked; what this replica saw is returned all the same.
	Ask(ctx context.Context, job string, tick time.Time, expect []string) (map[string][]Sighting, error)
}
