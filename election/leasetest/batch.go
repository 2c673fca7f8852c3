package leasetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/solocron/solocron/election"
)

func batchChecks() []Check {
	return []Check{
		{"AnEmptyBatchHasNoAnswers", emptyBatch},
		{"ABatchOfThousandMixedItemsKeepsItsOrder", mixedBatch},
		{"ItemsOfOneKeyAreDecidedInTurn", inTurn},
		{"APoisonedKeyFailsAlone", poisoned},
		{"AnEndedContextIsNotApplied", endedContext},
		{"ManyClaimantsOfATickGetOneGrant", race},
	}
}

func emptyBatch(w *World) error {
	r, err := w.Store.Read(w.Ctx, nil)
	return first(err, equal("answers", len(w.Store.Claim(w.Ctx, nil))+len(w.Store.Start(w.Ctx, nil))+
		len(w.Store.Renew(w.Ctx, nil))+len(w.Store.Release(w.Ctx, nil))+len(r), 0))
}

// mixedBatch has every third claim held, every third at fault.
func mixedBatch(w *World) error {
	const n = 1000
	claims, held := make([]election.Claim, n), []election.Claim(nil)
	for i := range claims {
		claims[i] = w.request(fmt.Sprintf("job-%d", i))
		switch i % 3 {
		case 1:
			held = append(held, w.request(claims[i].Key))
		case 2:
			claims[i].Owner = "nobody"
		}
	}
	for i, a := range w.Store.Claim(w.Ctx, held) {
		if err := first(w.want("first claim", a, election.Granted), equal("by", a.By, held[i].Holder)); err != nil {
			return err
		}
	}
	var holds []election.Hold
	for i, a := range w.Store.Claim(w.Ctx, claims) {
		var err error
		switch i % 3 {
		case 0:
			err = first(w.want("free", a, election.Granted), equal("by", a.By, claims[i].Holder))
			holds = append(holds, hold(claims[i], a))
		case 1:
			err = first(w.want("held", a, election.Held), equal("by", a.By, held[i/3].Holder))
		case 2:
			err = bad("fault", a.Err, election.ErrBadClaim)
		}
		if err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return lifeOfBatch(w, holds)
}

func lifeOfBatch(w *World, holds []election.Hold) error {
	ends := make([]election.End, len(holds))
	for i, h := range holds {
		ends[i] = end(h, election.OutcomeSucceeded)
	}
	for what, answers := range map[string][]election.HoldAnswer{
		"start": w.Store.Start(w.Ctx, holds), "renew": w.Store.Renew(w.Ctx, holds), "release": w.Store.Release(w.Ctx, ends),
	} {
		if err := equal(what, len(answers), len(holds)); err != nil {
			return err
		}
		for i, a := range answers {
			if err := first(stands(what, a, election.Good), equal("token", a.Token, holds[i].Token)); err != nil {
				return fmt.Errorf("item %d: %w", i, err)
			}
		}
	}
	return nil
}

func inTurn(w *World) error {
	claims := make([]election.Claim, 300)
	for i := range claims {
		claims[i] = w.request("job")
		claims[i].TTL += time.Duration(i%7) * w.Unit // different terms do not change the order
	}
	for i, a := range w.Store.Claim(w.Ctx, claims) {
		want := election.Held
		if i == 0 {
			want = election.Granted
		}
		if err := first(w.want("claim", a, want), equal("by", a.By, claims[0].Holder)); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}

func poisoned(w *World) error {
	if w.Poison == nil {
		return nil
	}
	claims := make([]election.Claim, 100)
	for i := range claims {
		claims[i] = w.request(fmt.Sprintf("job-%d", i))
	}
	const poison = 37
	if err := w.Poison(claims[poison].Key); err != nil {
		return err
	}
	holds := make([]election.Hold, len(claims))
	for i, a := range w.Store.Claim(w.Ctx, claims) {
		if i == poison {
			if err := first(bad("poisoned", a.Err, election.ErrNotApplied), equal("answer", a.Answer, election.Unknown)); err != nil {
				return err
			}
			a.Token = 1
		} else if err := w.want("beside the poison", a, election.Granted); err != nil {
			return err
		}
		holds[i] = hold(claims[i], a)
	}
	for i, a := range w.Store.Start(w.Ctx, holds) {
		if i == poison {
			if err := bad("poisoned", a.Err, election.ErrNotApplied); err != nil {
				return err
			}
		} else if err := stands("beside the poison", a, election.Good); err != nil {
			return err
		}
	}
	_, err := w.Store.Read(w.Ctx, []string{claims[poison].Key})
	if err == nil {
		return errors.New("reading a poisoned key gave no error")
	}
	return nil
}

func endedContext(w *World) error {
	ctx, cancel := context.WithCancelCause(w.Ctx)
	cancel(errors.New("enough"))
	c := w.request("job")
	a := w.Store.Claim(ctx, []election.Claim{c})[0]
	if err := bad("claim", a.Err, election.ErrNotApplied); err != nil {
		return err
	}
	r, err := w.read("job")
	return first(err, equal("record", r.Key, ""))
}

func race(w *World) error {
	const claimants = 32
	at, err := w.now()
	if err != nil {
		return err
	}
	claims, answers := make([]election.Claim, claimants), make([]election.ClaimAnswer, claimants)
	for i := range claims {
		claims[i] = w.tickAt("job", at)
	}
	var wg sync.WaitGroup
	for i := range claims {
		wg.Go(func() {
			answers[i] = w.claim(claims[i])
			if answers[i].Answer == election.Granted {
				w.start(hold(claims[i], answers[i]))
			}
		})
	}
	wg.Wait()
	grants := 0
	for _, a := range answers {
		switch a.Answer {
		case election.Granted:
			grants++
		case election.Held, election.Spent:
		default:
			return fmt.Errorf("a claimant got answer %d, error %w", a.Answer, a.Err)
		}
	}
	return equal("grants", grants, 1)
}
