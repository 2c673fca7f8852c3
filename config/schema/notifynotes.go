package schema

// notifyNotes is about whom to tell what becomes of jobs.
func notifyNotes() map[string]note {
	const (
		secret = ", better as { env: NAME } or { file: PATH }; it is read each time."
		url    = "Address of the receiver" + secret
	)
	return map[string]note{
		"Config.notify":    {is: "Whom to tell when jobs fail, recover, are missed, lost or late."},
		"jobFields.notify": {is: "Whom to tell what of this job; what is left out is as in notify.defaults."},
		"jobFields.expect": {is: "A dead man's switch: by when a tick must have started and its run must have finished."},
		"jobFields.ping":   {is: "URL of a check, as healthchecks has them, that is told of each start, success and failure" + secret},

		"Notify.link":     {is: "URL of the page, for messages to point at.", such: []string{"https://cron.example.org"}},
		"Notify.channels": {is: "Ways to tell somebody, by the name that jobs use.", most: "50"},
		"Notify.defaults": {is: "What jobs get that do not say otherwise. With to, all jobs tell."},

		"Channel.webhook": {is: "Send an HTTP request."},
		"Channel.slack":   {is: "Send a message to Slack, or to what takes the same."},
		"Channel.email":   {is: "Send mail."},
		"Channel.command": {is: "Run a program; the message is in its environment, as NOTIFY_TITLE and others."},
		"Channel.limit":   {is: "Messages in a minute, of the whole cluster; what goes beyond is told together in one.", least: "0", most: "1000", usual: "10"},

		"Webhook.url":     {is: url, must: true},
		"Webhook.secret":  {is: "Key of the signature, HMAC-SHA256" + secret},
		"Webhook.headers": {is: "Headers of the request."},
		"Webhook.body":    {is: "Template of the body; left out: JSON with all there is to say.", such: []string{`{"summary": {{json .Title}}}`}},
		"Slack.url":       {is: url, must: true},

		"Email.host":     {is: "Name of the server that takes mail.", must: true},
		"Email.port":     {is: "Its port; left out: 587, or 465 with tls: implicit.", least: "0", most: "65535", usual: none},
		"Email.tls":      {is: "starttls: TLS or nothing is sent. none is for a server on this machine.", words: []string{"starttls", "implicit", "none"}, usual: "starttls"},
		"Email.username": {is: "User to sign in as; needs password."},
		"Email.password": {is: "Its password" + secret},
		"Email.from":     {is: "Address of the sender.", must: true},
		"Email.to":       {is: "Addresses of those who get it.", must: true, most: "50"},

		"CommandAlert.argv": {is: "The program and its arguments, without a shell.", must: true},
		"CommandAlert.env":  {is: "Environment of the program, added to the scheduler's own."},

		"NotifyPolicy.on":      {is: "What is told.", words: []string{"failure", "recovery", "missed", "lost", "late"}, usual: none},
		"NotifyPolicy.to":      {is: "Names of channels.", most: "20"},
		"NotifyPolicy.after":   {is: "A failure is told after so many failed runs in a row.", least: "1", most: "1000"},
		"NotifyPolicy.remind":  {is: "From a message to the next while nothing has become better; 0: never."},
		"NotifyPolicy.same":    {is: "How long the same failure is not told again if it comes back after a recovery; 0: it is told each time."},
		"NotifyPolicy.silence": {is: "When nobody is told anything. What has not become better by the end is told then.", most: "20"},

		"Silence.from":     {is: "Time of day at which it begins, in the job's zone.", such: []string{"22:00"}},
		"Silence.to":       {is: "Time of day at which it ends, on the next day if that is not after from.", such: []string{"06:00"}},
		"Silence.weekdays": {is: "Days of the week on which it begins; left out: each day.", words: []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}},
		"Silence.until":    {is: "A moment at which it ends, instead of the others.", such: []string{"2026-12-01T08:00:00Z"}},

		"Expect.startWithin":  {is: "So long after the tick its run must have started; 0: that does not matter."},
		"Expect.finishWithin": {is: "So long after the tick its run must have ended; 0: that does not matter."},
	}
}
