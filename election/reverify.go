package election

// Reverify makes the renewal of every lease that e keeps due at once, for when
// the store is not the one it was: a replica that was promoted, or a server that
// came back with what it had saved, may know nothing of a lease or have given it
// to another. What it answers counts as any renewal's answer does: ErrLeaseLost
// ends the run. A renewal that is under way is not sent twice. It does not wait.
func (e *Elector) Reverify() { e.kennel.hurry() }

// hurry makes every dog due now and walks past them at once.
func (k *kennel) hurry() {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.cfg.Clock()
	for _, d := range k.dogs {
		d.due = min(d.due, now)
	}
	if k.timer != nil {
		k.timer.Reset(0)
	}
}
