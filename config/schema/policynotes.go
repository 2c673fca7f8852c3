package schema

// policyNotes is about what happens around runs.
func policyNotes() map[string]note {
	return map[string]note{
		"policyFields.overlapPolicy": {
			is: "A tick while an older run of the job is on: skip it, queue it, replace the older run, or allow both. Kubernetes' words are understood.",
			words: []string{
				"skip", "queue", "replace", "allow", "Skip", "Queue", "Replace", "Allow", "forbid", "Forbid", "buffer_one",
			},
		},
		"policyFields.catchup":        {is: "Which ticks run that came due while nobody could start them."},
		"policyFields.retry":          {is: "Whether and when a failed attempt is followed by another."},
		"policyFields.pauseOnFailure": {is: "Pause the job after so many failures in a row; 0: never.", least: "0", most: "1000"},
		"policyFields.history":        {is: "How many runs are remembered."},
		"policyFields.logs":           {is: "How much output is kept."},
		"policyFields.onHolderLost":   {is: "A run whose replica died: it may have done its work, so skip; or rerun.", words: []string{"skip", "rerun"}},
		"policyFields.onInterrupt":    {is: "A run that a shutdown cut short.", words: []string{"rerun", "skip"}},
		"policyFields.onStoreDown": {
			is:    "A tick while the lease store does not answer: wait until the starting deadline, skip, or run on every replica without a lease, which needs idempotent.",
			words: []string{"wait", "skip", "run"},
		},
		"policyFields.onOverrun":  {is: "A run that goes on after its lease must have ended: report it, or exit, so that it surely ends.", words: []string{"report", "exit"}},
		"policyFields.idempotent": {is: "Running twice does no harm."},

		"catchup.policy":  {is: "The latest one, none, or all, oldest first.", words: []string{"latest", "none", "all"}},
		"catchup.max":     {is: "How many at most, the latest ones; for all.", least: "1", most: "1000"},
		"catchup.spacing": {is: "Between two of their starts, at least; for all. At most 24h."},

		"retry.maxAttempts":           {is: "Attempts with the first; 1: no retry.", least: "1", most: "100"},
		"retry.initialInterval":       {is: "Before the second attempt; from 100ms to 24h."},
		"retry.backoffCoefficient":    {is: "By which the wait grows.", least: "1", most: "10"},
		"retry.maxInterval":           {is: "The longest wait; left out: 5m, or initialInterval if that is longer.", usual: none},
		"retry.jitter":                {is: "By how much of itself each wait is spread.", least: "0", most: "1"},
		"retry.nonRetryableExitCodes": {is: "Exit codes after which there is no other attempt.", least: "1", most: "64"},

		"historyFields.succeeded": {is: "Runs that succeeded.", least: "1", most: "10000"},
		"historyFields.failed":    {is: "Runs that ended otherwise, and as many ticks that were not run.", least: "1", most: "10000"},
		"historyFields.maxAge":    {is: "For how long; the last of each sort is kept in any case. At most 3660d."},

		"logs.maxBytes": {is: "Of each run; 0: none. At most 64Mi."},
	}
}

// kindNotes is about the settings of each kind.
func kindNotes() map[string]note {
	return map[string]note{
		"HTTP.method":       {is: "Left out: GET, with a body POST.", such: []string{"GET", "POST"}},
		"HTTP.url":          {is: "http or https; a template after its host.", must: true, pattern: `^[Hh][Tt][Tt][Pp][Ss]?://[^ ]`},
		"HTTP.headers":      {is: "Headers of the request. A value may be { env: NAME } or { file: PATH }."},
		"HTTP.body":         {is: "A template.", such: []string{`{"day": "{{.Tick.Format \"2006-01-02\"}}"}`}},
		"HTTP.expectStatus": {is: "Statuses that are a success.", such: []string{"200-299"}, usual: "200-299"},

		"Report.dsn":     {is: "The database: sqlite:PATH, file:PATH or postgres://...; { env: NAME } if it holds a password.", must: true},
		"Report.query":   {is: "One SELECT; it sees :day, :tick, :run_id and the parameters of the job.", must: true},
		"Report.format":  {is: "Of the file.", words: []string{"csv", "json", "html"}, usual: "csv"},
		"Report.output":  {is: "The file, a template.", must: true, such: []string{`/var/reports/orders-{{.Tick.Format "2006-01-02"}}.csv`}},
		"Report.title":   {is: "Of an HTML page; left out: the name of the job."},
		"Report.emptyIs": {is: "What a query without rows is: ok, or a failure.", words: []string{"ok", "fail"}, usual: "ok"},
		"Report.mode":    {is: "Permissions of the file, octal.", usual: "0640"},
		"Report.csvSafe": {is: "Text that a spreadsheet would take for a formula gets a ' before it.", usual: "false"},
		"Report.maxRows": {is: "More rows than this fail the run.", least: "0", usual: "10000000"},

		"Sync.source":    {is: "Where rows come from.", must: true},
		"Sync.target":    {is: "Where they go.", must: true},
		"Sync.table":     {is: "The table, where source or target names none."},
		"Sync.key":       {is: "Columns that tell rows apart.", must: true},
		"Sync.watermark": {is: "Column that grows with every change of a row.", must: true},
		"Sync.columns":   {is: "Columns to copy; left out: all of the source."},
		"Sync.batch":     {is: "Rows in a transaction.", least: "0", most: "10000", usual: "500"},

		"Endpoint.dsn":   {is: "The database: sqlite:PATH, file:PATH or postgres://...; { env: NAME } if it holds a password.", must: true},
		"Endpoint.table": {is: "The table; left out: that of the sync."},
	}
}
