package leasetest

import (
	"errors"
	"time"

	"github.com/solocron/solocron/election"
)

func overseerChecks() []Check {
	return []Check{
		{"ARevokedLeaseIsLostAndStaysClosedUntilItHasEnded", revoke},
		{"ARevocationOfAnotherTokenChangesNothing", revokeChanged},
		{"AnIdleKeyCanBeRevoked", revokeIdle},
		{"ReadOfNothingIsTheZeroRecord", readNothing},
		{"BadRequestsOfPeopleAreRefused", badOversight},
	}
}

func revoke(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	v := election.Revocation{Key: "job", Token: h.Token, LockDelay: w.delay(), Retention: retention, By: "ada", Reason: "stuck"}
	r, err := w.Store.Revoke(w.Ctx, v)
	if err != nil {
		return err
	}
	closed := h.TTL + w.delay()
	if err := first(equal("state", r.State, election.StateRevoked), w.about("closed", r.Remaining, closed),
		stands("renewal", w.renew(h), election.Lost)); err != nil {
		return err
	}
	if r.Token <= h.Token {
		return errors.New("revoking did not raise the token")
	}
	a := w.claim(w.request("job"))
	if err := first(w.want("while the old lease may last", a, election.Delayed), w.about("delay", a.Remaining, closed),
		stands("release", w.release(end(h, election.OutcomeCancelled)), election.Lost)); err != nil {
		return err
	}
	w.sleep(closed)
	if err := stands("renewal after the closed time", w.renew(h), election.Lost); err != nil {
		return err
	}
	next, err := w.granted(w.request("job"))
	if err == nil && next.Token <= r.Token {
		return errors.New("the token did not grow over a revocation")
	}
	return err
}

func revokeChanged(w *World) error {
	h, err := w.running(w.request("job"))
	if err != nil {
		return err
	}
	_, err = w.Store.Revoke(w.Ctx, election.Revocation{Key: "job", Token: h.Token - 1, Retention: retention})
	return first(bad("other token", err, election.ErrChanged), stands("renewal", w.renew(h), election.Good))
}

func revokeIdle(w *World) error {
	v := election.Revocation{Key: "job", LockDelay: w.Unit, Retention: retention}
	for range 2 {
		r, err := w.Store.Revoke(w.Ctx, v)
		if err := first(err, equal("state", r.State, election.StateRevoked), w.about("closed", r.Remaining, w.Unit)); err != nil {
			return err
		}
	}
	if err := w.want("claim", w.claim(w.request("job")), election.Delayed); err != nil {
		return err
	}
	w.sleep(w.Unit)
	_, err := w.granted(w.request("job"))
	return err
}

func readNothing(w *World) error {
	records, err := w.Store.Read(w.Ctx, []string{"one", "two"})
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Key != "" || r.Token != 0 || r.Ring != nil || !r.Now.IsZero() {
			return errors.New("the record of nothing is not the zero Record")
		}
	}
	return equal("records", len(records), 2)
}

func badOversight(w *World) error {
	_, revoke := w.Store.Revoke(w.Ctx, election.Revocation{Key: "job", LockDelay: -1})
	_, read := w.Store.Read(w.Ctx, []string{""})
	ancient := election.Gate{Closed: true, Until: time.Unix(-1, 0)}
	return first(bad("revoke", revoke, election.ErrBadClaim), bad("read", read, election.ErrBadClaim),
		bad("gate", w.Store.SetGate(w.Ctx, "job", ancient), election.ErrBadClaim))
}
