package redlock

import (
	"context"
	"fmt"
	"time"
)

// A question is what all nodes are asked at once, about n items.
type question[A any] struct {
	n int
	// ask calls one node. It must not change what it shares with the others, and
	// may be called after poll has returned.
	ask func(ctx context.Context, i int, n *node) []A
	// skip names the nodes that are not asked. Nil: none.
	skip func(i int) bool
	// silence is the answer to an item in place of one that did not come.
	silence func(err error) A
	// spoke reports whether an answer came from the node.
	spoke func(*A) bool
	// fault is where an answer holds its error, which is told with the name of the
	// node. Nil: errors stay as they are.
	fault func(*A) *error
	// decided reports whether no further answer to item i would change anything.
	// Nil: everybody is waited for.
	decided func(answers [][]A, i int) bool
	// late takes what node i answered after poll had returned. Nil: nobody does.
	late func(i int, answers []A)
}

// A reply is what one node answered.
type reply[A any] struct {
	node    int
	answers []A
}

// poll asks all nodes and returns what each answered, by node. It waits until every
// item is decided, and then lingers for the rest; until every node that can be
// expected to has answered; or until the time for one node is over. In place of an
// answer that did not come stands silence. What comes later goes to q.late, and
// Close waits for it.
func poll[A any](ctx context.Context, s *Store, q question[A]) [][]A {
	limit := s.nodeTimeout(ctx)
	answers := make([][]A, len(s.nodes))
	box := &box[A]{came: make(chan reply[A], len(s.nodes)), late: q.late}
	trusted := s.trusted()
	waiting := 0
	for i, n := range s.nodes {
		missing := errSilent
		var v *visit
		if q.skip == nil || !q.skip(i) {
			v = n.visit(limit)
		}
		switch {
		case v == nil:
			missing = errBusy
		case !s.crew.run(func() {
			box.put(reply[A]{i, call(ctx, v, i, limit, q)})
			s.flush(n, limit)
		}):
			v.cancel()
			missing = errClosed
		case trusted[i]:
			waiting++
		}
		answers[i] = silent(q, missing)
	}
	w := wait[A]{question: q, answers: answers, trusted: trusted, waiting: waiting, linger: s.cfg.Linger}
	w.run(ctx, box.came, limit)
	for _, r := range box.shut() {
		answers[r.node] = r.answers
	}
	if q.fault != nil {
		s.name(len(s.nodes)*q.n, func(k int) (int, *error) { return k / q.n, q.fault(&answers[k/q.n][k%q.n]) })
	}
	return answers
}

// name puts the name of its node before each of n errors.
func (s *Store) name(n int, of func(k int) (int, *error)) {
	for k := range n {
		if i, err := of(k); *err != nil {
			*err = fmt.Errorf("node %s: %w", s.nodes[i].Name, *err)
		}
	}
}

// call asks node i, detached from ctx: whoever asked may go, the answer is taken.
func call[A any](ctx context.Context, v *visit, i int, limit time.Duration, q question[A]) []A {
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), limit, errSilent)
	defer cancel()
	answers := q.ask(ctx, i, v.node)
	if len(answers) != q.n {
		v.end(true)
		return silent(q, errAnswer)
	}
	spoke := q.n == 0
	for i := range answers {
		spoke = spoke || q.spoke(&answers[i])
	}
	v.end(spoke)
	return answers
}

func silent[A any](q question[A], err error) []A {
	answers := make([]A, q.n)
	for i := range answers {
		answers[i] = q.silence(err)
	}
	return answers
}

// tally is how many of the answers to item i are such.
func tally[A any](answers [][]A, i int, such func(*A) bool) int {
	n := 0
	for node := range answers {
		if such(&answers[node][i]) {
			n++
		}
	}
	return n
}

// column is what all nodes say of item i.
func column[A any](answers [][]A, i int) []A {
	all := make([]A, len(answers))
	for node := range answers {
		all[node] = answers[node][i]
	}
	return all
}

// trusted says which nodes to wait for: those that are not suspect, or all if the
// others are no quorum.
func (s *Store) trusted() []bool {
	trusted, n := make([]bool, len(s.nodes)), 0
	for i, node := range s.nodes {
		if trusted[i] = !node.suspect(); trusted[i] {
			n++
		}
	}
	if n < s.quorum {
		for i := range trusted {
			trusted[i] = true
		}
	}
	return trusted
}
