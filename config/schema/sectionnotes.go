package schema

// sectionNotes is about defaults, calendars and groups.
func sectionNotes() map[string]note {
	return map[string]note{
		"Config.jobs":              {is: "The jobs, at least one.", must: true, most: "200000"},
		"Config.defaults":          {is: "What holds for every job that does not say otherwise."},
		"Config.calendars":         {is: "Calendars that jobs can be excluded by.", most: "100"},
		"Config.concurrencyGroups": {is: "Groups of jobs that share a number of runs at once, in the whole cluster.", most: "1000"},

		"Defaults.timeZone":         {is: "IANA name of the zone in which schedules and calendars are read.", such: []string{"UTC", "Europe/Berlin"}},
		"Defaults.dst":              {is: "What becomes of times that a change of the clock skips or shows twice."},
		"Defaults.timeout":          {is: "How long an attempt may take; 0: no limit. At most 366d."},
		"Defaults.startingDeadline": {is: "How late a tick may still start. At most 366d."},
		"Defaults.stopGracePeriod":  {is: "Between SIGTERM and SIGKILL for commands; from 1ns to 1h."},
		"Defaults.labels":           {is: "Labels of every job, unless it sets the same key itself.", most: "64"},

		"DST.gap":     {is: "A time the clock skips: run once right after, or skip."},
		"DST.overlap": {is: "A time the clock shows twice. auto: a fixed time runs the first time, a wildcard every real hour."},

		"calendarFields.name":     {is: "By which jobs name it.", must: true, pattern: namePattern, most: nameLength},
		"calendarFields.timeZone": {is: "IANA name of the zone its days are in; left out: that of defaults."},
		"calendarFields.dates":    {is: "Dates: 2026-12-24 is one day, 12-25 that day of every year.", such: []string{"12-25"}},
		"calendarFields.from":     {is: "First moment or day of a range; needs to."},
		"calendarFields.to":       {is: "Last moment or day of the range."},
		"calendarFields.ranges":   {is: "Several such ranges."},
		"calendarFields.weekdays": {is: "Whole days of the week.", such: []string{"sat", "sun"}},
		"calendarFields.file":     {is: "An iCalendar file; relative to the configuration.", such: []string{"holidays.ics"}},

		"dateRange.from": {is: "First moment or day."},
		"dateRange.to":   {is: "Last moment or day."},

		"groupFields.name":  {is: "By which jobs name it.", must: true, pattern: namePattern, most: nameLength},
		"groupFields.limit": {is: "So many runs at once, in the whole cluster.", must: true, least: "1", most: "1000", usual: none},
	}
}
