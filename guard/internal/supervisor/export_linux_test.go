package supervisor

// Windows for the tests.
type (
	Plan = plan
	Step = step
)

const (
	Wait   = wait
	Ask    = ask
	Sweep  = sweep
	Kill   = kill
	GiveUp = giveUp
)

var (
	ParentOf = parentOf
	IsCall   = isCall
)

// Descendants is what lives below root, of processes given with their parents.
func Descendants(root int, all ...[2]int) []int {
	var relations []relation
	for _, r := range all {
		relations = append(relations, relation{r[0], r[1]})
	}
	return descendants(root, relations)
}

// NewPlan makes a plan from what is known; 0 is not yet.
func NewPlan(p Plan, grace, exited, asked, swept, killed int64) *Plan {
	p.grace, p.exited, p.asked, p.swept, p.killed = grace, exited, asked, swept, killed
	return &p
}

// Next is what p does at now, and until when.
func Next(p *Plan, now int64) (Step, int64) { return p.next(now) }
