package leasetest

import (
	"fmt"
	"slices"

	"github.com/solocron/solocron/election"
)

func givenChecks() []Check {
	return []Check{{"AStoreNeitherChangesNorKeepsWhatItIsGiven", given}}
}

// given writes over every slice as soon as the store has answered, as a caller
// does that uses it again.
func given(w *World) error {
	const n = 40
	claims := make([]election.Claim, n)
	for i := range claims {
		claims[i] = w.request(fmt.Sprintf("job-%d", i))
	}
	asked := slices.Clone(claims)
	answers := w.Store.Claim(w.Ctx, claims)
	if !slices.Equal(claims, asked) {
		return fmt.Errorf("the store changed its claims to %+v", claims)
	}
	clear(claims)

	holds, ends := make([]election.Hold, n), make([]election.End, n)
	for i, a := range answers {
		if err := w.want("claim", a, election.Granted); err != nil {
			return err
		}
		holds[i] = hold(asked[i], a)
		ends[i] = end(holds[i], election.OutcomeSucceeded)
	}
	held := slices.Clone(holds)
	for _, step := range []func([]election.Hold) []election.HoldAnswer{
		func(h []election.Hold) []election.HoldAnswer { return w.Store.Start(w.Ctx, h) },
		func(h []election.Hold) []election.HoldAnswer { return w.Store.Renew(w.Ctx, h) },
	} {
		copy(holds, held)
		for i, a := range step(holds) {
			if err := first(stands("hold", a, election.Good), equal("hold", holds[i], held[i])); err != nil {
				return err
			}
		}
		clear(holds)
	}
	ended := slices.Clone(ends)
	for i, a := range w.Store.Release(w.Ctx, ends) {
		if err := first(stands("release", a, election.Good), equal("end", ends[i], ended[i])); err != nil {
			return err
		}
	}
	clear(ends)
	for i := range held {
		r, err := w.read(held[i].Key)
		if err := first(err, equal("state", r.State, election.StateDone), equal("holder", r.Holder, held[i].Holder)); err != nil {
			return err
		}
	}
	return nil
}
