package schema

// jobNotes is about a job beside its policies and its kind.
func jobNotes() map[string]note {
	return map[string]note{
		"jobFields.name":        {is: "Unique in the file: part of keys, addresses and the ids of runs.", must: true, pattern: namePattern, most: nameLength},
		"jobFields.description": {is: "What the job is for, for people."},
		"jobFields.schedule": {
			is:   "When it is due: five cron fields (in quotes: * is special in YAML), @hourly to @yearly, @every 15m, @at 2027-03-01T09:00; or a list of those; or manual for a job that only people and other jobs start.",
			such: []string{"30 2 * * *", "H/15 * * * *", "@every 15m", "@daily", "manual"},
		},
		"jobFields.seconds":          {is: "The schedule has six fields, seconds first."},
		"jobFields.timeZone":         {is: "IANA name of the zone in which the schedule is read.", such: []string{"UTC", "Europe/Berlin"}},
		"jobFields.dst":              {is: "What becomes of times that a change of the clock skips or shows twice."},
		"jobFields.jitter":           {is: "Each tick starts up to so much later, the same on every replica and never past the next tick."},
		"jobFields.startAt":          {is: "First moment that counts: a date in the job's zone, or a time.", such: []string{"2027-01-01", "2027-01-01T09:00:00+01:00"}},
		"jobFields.endAt":            {is: "First moment that no longer counts."},
		"jobFields.exclude":          {is: "Calendars on whose days the job does not run."},
		"jobFields.tests":            {is: "What the schedule must do; scheduler test compares."},
		"jobFields.timeout":          {is: "How long an attempt may take; 0: no limit. At most 366d."},
		"jobFields.startingDeadline": {is: "How late a tick may still start. At most 366d."},
		"jobFields.stopGracePeriod":  {is: "Between SIGTERM and SIGKILL for commands; from 1ns to 1h."},
		"jobFields.suspend":          {is: "Its ticks are not run."},
		"jobFields.env":              {is: "Environment of the process, added to the scheduler's own. A value may be { env: NAME } or { file: PATH }."},
		"jobFields.workingDir":       {is: "Directory in which the process starts; left out: that of the scheduler."},
		"jobFields.successExitCodes": {is: "Exit codes that are a success, beside 0.", least: "0"},
		"jobFields.labels":           {is: "For people and for selecting jobs.", most: "64"},
		"jobFields.owner":            {is: "Who to ask."},
		"jobFields.runbook":          {is: "Where to read what to do when it fails."},

		"jobFields.command": {is: "Run a program: a list of its name and arguments, without a shell.", must: true},
		"jobFields.shell":   {is: "Run a text with /bin/sh -c."},
		"jobFields.http":    {is: "Send an HTTP request."},
		"jobFields.report":  {is: "Write the result of an SQL query to a file."},
		"jobFields.sync":    {is: "Copy new and changed rows from a table to another."},
		"jobFields.func":    {is: "Call a Go function by the name under which the program registered it."},

		"exclude.calendars": {is: "Their names.", must: true},
		"exclude.action":    {is: "skip the ticks inside, or defer: run once at the end.", words: []string{"skip", "defer"}, usual: "skip"},

		"test.from": {is: "The moment after which the test looks.", must: true},
		"test.next": {is: "The ticks that must come next.", must: true, most: "100"},
	}
}

// linkNotes is about what ties a job to people and to other jobs.
func linkNotes() map[string]note {
	conditions := []string{"succeeded", "failed", "finished"}
	return map[string]note{
		"linkFields.queueLimit":       {is: "How many ticks wait at most; for overlapPolicy: queue.", least: "1", most: "1000"},
		"linkFields.mode":             {is: "shadow: ticks are decided and won, but nothing is executed.", words: []string{"active", "shadow"}},
		"linkFields.concurrencyGroup": {is: "Group in which a run takes a place; one of concurrencyGroups."},
		"linkFields.params":           {is: "Values that whoever triggers the job may give.", most: "64"},
		"linkFields.dependsOn":        {is: "Jobs that must have had a run before a tick starts; a name, or a map."},
		"linkFields.triggers":         {is: "Jobs that a run of this one starts; a name, or a map."},

		"param.name":        {is: "Begins with a letter.", must: true, pattern: `^[a-z][a-z0-9_]*$`, most: "50"},
		"param.type":        {is: "What may be given.", words: []string{"string", "int", "number", "bool"}, usual: "string"},
		"param.default":     {is: "What ticks have, and requests that leave it out."},
		"param.description": {is: "For people."},
		"param.required":    {is: "A request must give it."},
		"param.choices":     {is: "All values that are allowed.", most: "100"},

		"dependency.job":       {is: "Name of the other job.", must: true},
		"dependency.condition": {is: "How its run must have ended.", words: conditions, usual: "succeeded"},
		"dependency.window":    {is: "How long before the tick that may have been.", usual: "1d"},

		"trigger.job":       {is: "Name of the other job.", must: true},
		"trigger.condition": {is: "How the run must have ended.", words: conditions, usual: "succeeded"},
	}
}
