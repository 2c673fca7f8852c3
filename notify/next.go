package notify

import (
	"slices"
	"time"
)

// Next is what is known of a job after a fact, and what is to be told at now. It is
// pure: replicas that see the same say the same, and the store lets one of them.
// Changed is false if nothing need be kept; then there is nothing to tell.
func Next(s State, f Fact, p *Policy, now time.Time) (next State, tell []Message, changed bool) {
	next = s.clone()
	switch f.Sort {
	case Nothing:
		return s, nil, false
	case Good:
		changed = next.recover(f, p)
	case Bad, Crashed, NotRun, Overdue:
		changed = next.suffer(f)
	case Clock:
	}
	tell = next.settle(p, now)
	if !changed && len(tell) == 0 {
		return s, nil, false
	}
	return next, tell, true
}

// suffer notes a bad fact, and reports whether it is news.
func (s *State) suffer(f Fact) bool {
	if !s.see(f.Key) {
		return false
	}
	if f.At.Before(s.Good) {
		return true // it is over already
	}
	if f.Sort == Bad || f.Sort == Crashed {
		s.Fails++
	}
	if s.Since.IsZero() {
		s.Since = f.At
	}
	s.Owed = nil // it did not last
	p := s.page(signature(f))
	if !p.Open {
		p.Open, p.Told = true, false
	}
	p.Count++
	p.Fact = f
	return true
}

// recover notes a success, and reports whether that ends any trouble: one that is
// older than the newest bad thing does not.
func (s *State) recover(f Fact, p *Policy) bool {
	if s.Since.IsZero() || slices.ContainsFunc(s.Pages, func(page Page) bool { return page.Open && f.At.Before(page.Fact.At) }) {
		return false
	}
	last, told := Page{}, false
	for i := range s.Pages {
		page := &s.Pages[i]
		if !page.Open {
			continue
		}
		last, told = *page, told || page.Told
		page.Open, page.Told, page.Count = false, false, 0
	}
	if told && p.wants(Recovery) {
		last.Fact = f
		last.Count = s.Fails
		last.Last = s.Since // for the message: since when
		s.Owed = &last
	}
	s.Fails, s.Since, s.Reminded, s.Good = 0, time.Time{}, time.Time{}, f.At
	return true
}

// settle tells what is due at now. Of several failures that are due the newest is
// told, for all.
func (s *State) settle(p *Policy, now time.Time) []Message {
	if p.quietUntil(now).After(now) {
		return nil
	}
	var tell []Message
	if s.Owed != nil {
		m := s.message(Recovery, s.Owed, p, now)
		m.Since, m.Failures = s.Owed.Last, s.Owed.Count
		tell = append(tell, m)
		s.Owed = nil
	}
	failed := false
	for i := len(s.Pages) - 1; i >= 0; i-- {
		page := &s.Pages[i]
		due, ok := s.pageDue(page, p)
		if !ok || due.After(now) {
			continue
		}
		kind := kindOf(page.Fact.Sort)
		page.Told = true
		if kind == Failure && failed {
			continue
		}
		failed = failed || kind == Failure
		tell = append(tell, s.message(kind, page, p, now))
		page.Last, page.Count = now, 0
		s.Reminded = now
	}
	if due, ok := s.reminderDue(p); ok && !due.After(now) {
		page := s.newest()
		tell = append(tell, s.message(Reminder, page, p, now))
		s.Reminded, page.Last, page.Count = now, now, 0
	}
	return tell
}

// pageDue is when a page is to be told, silence apart; not ok: not at all.
func (s *State) pageDue(page *Page, p *Policy) (time.Time, bool) {
	kind := kindOf(page.Fact.Sort)
	switch {
	case !page.Open, page.Told, !p.wants(kind), kind == Failure && s.Fails < p.After:
		return time.Time{}, false
	case page.Last.IsZero():
		return page.Fact.At, true
	}
	return page.Last.Add(p.Same), true
}

// reminderDue is when people are to be reminded, silence apart; not ok: not at all.
func (s *State) reminderDue(p *Policy) (time.Time, bool) {
	if p.Remind <= 0 || s.newest() == nil {
		return time.Time{}, false
	}
	return s.Reminded.Add(p.Remind), true
}

// newest is the newest page that people know of; nil: there is none.
func (s *State) newest() *Page {
	for i := len(s.Pages) - 1; i >= 0; i-- {
		if s.Pages[i].Open && s.Pages[i].Told {
			return &s.Pages[i]
		}
	}
	return nil
}

// Due is when somebody should look at s again although nothing happens; zero: never.
func Due(s State, p *Policy, now time.Time) time.Time {
	var due time.Time
	consider := func(t time.Time) {
		if t.Before(now) {
			t = now
		}
		if t = p.quietUntil(t); due.IsZero() || t.Before(due) {
			due = t
		}
	}
	if s.Owed != nil {
		consider(now)
	}
	for i := range s.Pages {
		if t, ok := s.pageDue(&s.Pages[i], p); ok {
			consider(t)
		}
	}
	if t, ok := s.reminderDue(p); ok {
		consider(t)
	}
	return due
}
