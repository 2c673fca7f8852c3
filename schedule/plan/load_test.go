package plan_test

import (
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule/plan"
)

func jobs(t testing.TB, zoneName string, specs ...string) []plan.Job {
	t.Helper()
	all := []plan.Job{{Name: "suspended"}}
	for _, s := range specs {
		all = append(all, plan.Job{Name: s, Schedule: parse(t, s, zoneName)})
	}
	return all
}

func TestTheBusiestMinutesComeFirst(t *testing.T) {
	t.Parallel()
	all := jobs(t, "UTC", "0 2 * * *", "0 2 * * *", "0,1 2 * * 3", "5 4 * * *", "* * * * * *")
	l := plan.NewLoad(all, plan.Days(time.Date(2027, 1, 4, 0, 0, 30, 0, time.UTC), 14)) // a Monday
	got := l.Busiest(3)
	if len(got) != 3 || l.AtLeast {
		t.Fatalf("got %+v, want three minutes, counted in full", got)
	}
	for i, want := range []plan.Minute{
		{OfDay: 120, Peak: 63, First: time.Date(2027, 1, 6, 2, 0, 0, 0, time.UTC), Days: 2},
		{OfDay: 121, Peak: 61, First: time.Date(2027, 1, 6, 2, 1, 0, 0, time.UTC), Days: 2},
		{OfDay: 245, Peak: 61, First: time.Date(2027, 1, 4, 4, 5, 0, 0, time.UTC), Days: 14},
	} {
		if got[i] != want {
			t.Errorf("number %d: got %+v, want %+v", i+1, got[i], want)
		}
	}
	if got, other := l.At(120), l.At(0); got != 63 || other != 60 {
		t.Errorf("got %d at 02:00 and %d at 00:00, want 63 and 60", got, other)
	}
}

func TestMinutesWithoutAStartAreNotBusy(t *testing.T) {
	t.Parallel()
	l := plan.NewLoad(jobs(t, "UTC", "0 2 * * *"), plan.Days(time.Date(2027, 1, 4, 0, 0, 0, 0, time.UTC), 3))
	if got := l.Busiest(5); len(got) != 1 || got[0].OfDay != 120 || got[0].Days != 3 {
		t.Errorf("got %+v, want 02:00 alone, on 3 days", got)
	}
	if got := plan.NewLoad(nil, plan.Days(time.Unix(0, 0), 1)).Busiest(5); len(got) != 0 {
		t.Errorf("no jobs: got %+v", got)
	}
}

func TestTheQuietestPhaseAvoidsTheOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, zone string
		others     []string
		every      time.Duration
		want       plan.Phase
	}{
		{"the middle of what is free", "UTC", []string{"0 * * * *"}, time.Hour, plan.Phase{Spec: "30 * * * *", Room: 30 * time.Minute}},
		{"the one free minute", "UTC", []string{"0-36 * * * *", "38-59 * * * *"}, time.Hour, plan.Phase{Spec: "37 * * * *", Room: time.Minute}},
		{"the lower peak, not the fewer starts", "UTC", []string{"0,15,30,45 * * * *", "1-14/1 0 * * *", "1-14/1 0 * * *", "16-29/1 0 * * *", "31-44/1 0 * * *", "46-59/1 0 * * *"}, 15 * time.Minute, plan.Phase{Spec: "*/15 * * * *", Peak: 1, Total: 4 * 24 * 31}},
		{"by the clock of the zone", "Asia/Kathmandu", []string{"0 * * * *"}, time.Hour, plan.Phase{Spec: "30 * * * *", Room: 30 * time.Minute}},
		{"every day, through a change of the clock", "Europe/Berlin", []string{"0 2 * * *"}, 24 * time.Hour, plan.Phase{Spec: "30 14 * * *", Room: 11*time.Hour + 30*time.Minute}},
		{"in hours", "UTC", []string{"0 * * * *", "30 0-4 * * *"}, 6 * time.Hour, plan.Phase{Spec: "30 5/6 * * *", Room: 30 * time.Minute}},
		{"nothing to avoid", "UTC", nil, 10 * time.Minute, plan.Phase{Spec: "*/10 * * * *"}},
		{"every minute", "UTC", []string{"0 * * * *"}, time.Minute, plan.Phase{Spec: "* * * * *", Peak: 1, Total: 24 * 31}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := plan.NewLoad(jobs(t, c.zone, c.others...), plan.Days(time.Date(2027, 3, 14, 0, 0, 0, 0, zone(t, c.zone)), 31))
			got, err := plan.Quietest(l, c.every, zone(t, c.zone), 3)
			if err != nil {
				t.Fatal(err)
			}
			if got[0] != c.want {
				t.Errorf("got %+v, want %+v", got[0], c.want)
			}
		})
	}
}

func TestASuggestedScheduleIsDueEveryPeriod(t *testing.T) {
	t.Parallel()
	l := plan.NewLoad(nil, plan.Days(time.Unix(0, 0), 1))
	for _, every := range []time.Duration{
		time.Minute, 2 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 8 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	} {
		phases, err := plan.Quietest(l, every, time.UTC, 10_000)
		if err != nil || len(phases) != int(every/time.Minute) {
			t.Fatalf("every %s: got %d phases, %v", every, len(phases), err)
		}
		for _, p := range phases {
			s := parse(t, p.Spec, "UTC")
			first := s.Next(time.Unix(-1, 0))
			if got := s.Next(first).Sub(first); got != every || s.Next(s.Next(first)).Sub(first) != 2*every {
				t.Errorf("every %s: %q is due after %s", every, p.Spec, got)
			}
		}
	}
}

func TestAPeriodThatFieldsCannotSayIsRefused(t *testing.T) {
	t.Parallel()
	l := plan.NewLoad(nil, plan.Days(time.Unix(0, 0), 1))
	for _, every := range []time.Duration{0, -time.Hour, time.Second, 90 * time.Second, 7 * time.Minute, 90 * time.Minute, 5 * time.Hour, 48 * time.Hour} {
		if got, err := plan.Quietest(l, every, time.UTC, 1); err == nil || !strings.Contains(err.Error(), "15m") {
			t.Errorf("every %s: got %v, %v; want an error that says what works", every, got, err)
		}
	}
}
