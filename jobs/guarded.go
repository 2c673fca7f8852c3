package jobs

import "slices"

// WithGuard is a Runner that starts a process and can put it below a guard.
type WithGuard interface {
	// SetGuard takes the command that starts a guard: guard.Self, as a rule. An
	// empty one is none: then a process outlives a scheduler that is killed or
	// frozen, and what leaves the process group is out of reach.
	SetGuard(argv []string)
}

// Guarded returns kinds whose processes run below the guard that argv starts. If
// argv is empty they are as they were.
func Guarded(argv []string, kinds []Kind) []Kind {
	argv = slices.Clone(argv)
	all := slices.Clone(kinds)
	for i, k := range all {
		all[i].New = func(decode func(into any) error) (Runner, error) {
			r, err := k.New(decode)
			if g, ok := r.(WithGuard); ok && err == nil {
				g.SetGuard(argv)
			}
			return r, err
		}
	}
	return all
}
