package faultproxy

import (
	"bytes"
	"time"
)

// faults is how the network misbehaves at the moment.
type faults struct {
	requestDelay, replyDelay time.Duration // of each chunk
	mute, deaf               bool          // requests, or replies, do not move
	drop                     bool          // the next reply is lost and its connection closed
	forge                    func(last []byte) []byte
}

// Delay holds each chunk from the client back by d.
func (p *Proxy) Delay(d time.Duration) { p.set(func(f *faults) { f.requestDelay = d }) }

// DelayReplies holds each chunk from the server back by d.
func (p *Proxy) DelayReplies(d time.Duration) { p.set(func(f *faults) { f.replyDelay = d }) }

// Silence lets nothing through, in either direction, while on; connections stay open.
func (p *Proxy) Silence(on bool) { p.set(func(f *faults) { f.mute, f.deaf = on, on }) }

// SilenceRequests lets nothing through to the server while on: it is not asked.
// What was held back arrives afterwards, unless its connection has been closed.
func (p *Proxy) SilenceRequests(on bool) { p.set(func(f *faults) { f.mute = on }) }

// SilenceReplies lets nothing through to the client while on: the server acts, and
// nobody knows. What was held back arrives afterwards, unless its connection has
// been closed.
func (p *Proxy) SilenceReplies(on bool) { p.set(func(f *faults) { f.deaf = on }) }

// DropNextReply loses the next chunk from the server and closes its connection:
// the server has acted, the client does not know.
func (p *Proxy) DropNextReply() { p.set(func(f *faults) { f.drop = true }) }

// ForgeNextReply puts garbage in the place of the next chunk from the server; its
// connection stays open and is out of step from there.
func (p *Proxy) ForgeNextReply(garbage []byte) {
	p.set(func(f *faults) { f.forge = func([]byte) []byte { return garbage } })
}

// RepeatReply puts the reply before it, which may have been meant for another
// connection, in the place of the next chunk from the server.
func (p *Proxy) RepeatReply() {
	p.set(func(f *faults) { f.forge = func(last []byte) []byte { return last } })
}

// Heal ends all faults. What is held back moves on at once.
func (p *Proxy) Heal() { p.set(func(f *faults) { *f = faults{} }) }

func (p *Proxy) set(change func(*faults)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.faults)
	close(p.change)
	p.change = make(chan struct{})
}

func (p *Proxy) now() (faults, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults, p.change
}

func (p *Proxy) request(chunk []byte) ([]byte, error) {
	return chunk, p.hold(func(f faults) (time.Duration, bool) { return f.requestDelay, f.mute })
}

func (p *Proxy) reply(chunk []byte) ([]byte, error) {
	if err := p.hold(func(f faults) (time.Duration, bool) { return f.replyDelay, f.deaf }); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults.drop {
		p.faults.drop = false
		return nil, errDropped
	}
	last := p.last
	p.last = bytes.Clone(chunk)
	if forge := p.faults.forge; forge != nil {
		p.faults.forge = nil
		return forge(last), nil
	}
	return chunk, nil
}

// hold waits for as long as a chunk that came now is held back, by the faults as
// they are and as they become.
func (p *Proxy) hold(by func(faults) (delay time.Duration, silent bool)) error {
	came := time.Now()
	for {
		f, changed := p.now()
		delay, silent := by(f)
		left := time.Until(came.Add(delay))
		if !silent && left <= 0 {
			return nil
		}
		var due <-chan time.Time
		if !silent {
			due = time.After(left)
		}
		select {
		case <-p.ended:
			return errEnded
		case <-changed:
		case <-due:
		}
	}
}
