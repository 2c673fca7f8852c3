package daemon

import "github.com/solocron/solocron/telemetry"

// sources is what is measured of this replica beside what happens.
func (d *Daemon) sources() telemetry.Sources {
	s := telemetry.Sources{Ready: d.Ready}
	if m := d.deps.Memory; m != nil {
		s.Queued, s.Letters, s.Past = m.Journal.Queued, m.Journal.DeadLetters, m.Journal.Past
	}
	if d.deps.Members != nil {
		s.Live = d.deps.Members.Live
	}
	return s
}
