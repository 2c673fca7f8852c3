package schema

// settingNotes is about the settings of a replica.
func settingNotes() map[string]note {
	return map[string]note{
		"Config.namespace": {
			is:      "Environment or tenant: part of every key in the store, so that several installations share one Redis.",
			pattern: `^[a-z0-9]([a-z0-9._/-]*[a-z0-9])?$`, most: nameLength, such: []string{"prod/billing"},
		},
		"Config.replica": {
			is:      "Name of this process; a random suffix is added. Left out, it is the variable POD_NAME, else the name of the host.",
			pattern: `^[^ {}\t\n]+$`, most: "253",
		},
		"Config.redis":         {is: "How Redis is reached: the journal is kept there and, unless lease.store says otherwise, the leases."},
		"Config.lease":         {is: "Where leases are kept and how long they last. What is left out is derived from ttl."},
		"Config.admin":         {is: "The HTTP API and the metrics."},
		"Config.log":           {is: "How the scheduler logs."},
		"Config.clock":         {is: "How far the clock of this machine may be off."},
		"Config.metrics":       {is: "What is counted, for Prometheus."},
		"Config.tracing":       {is: "Where the spans of ticks and runs are sent, as OpenTelemetry; left out: nowhere."},
		"Config.shutdownGrace": {is: "How long runs may go on after the process is asked to stop; at most 24h."},
		"Config.terminationGracePeriod": {
			is:    "What whoever stops the process lets it have before killing it, as a pod's terminationGracePeriodSeconds; the file is refused if the rest does not fit into it. Left out: not known.",
			usual: none, such: []string{"60s"},
		},
		"Config.generation": {
			is:    "What whoever writes the file counts its versions by, such as the revision of a Helm release: of two files that replicas have at the same time the higher one is in force. Left out or 0: the one that was seen last.",
			least: "0", most: "1000000000",
		},
		"Config.maxConcurrent": {is: "Runs at once on this replica; 0: no limit.", least: "0", most: "100000"},

		"Lease.ttl":        {is: "How long a lease lasts unless it is renewed.", such: []string{"30s"}},
		"Lease.renewEvery": {is: "From one renewal to the next; at most a third of ttl. Left out: derived from ttl."},
		"Lease.tryTimeout": {is: "How long one request to the store may take. Left out: derived from ttl."},
		"Lease.stopGrace":  {is: "Between telling a run to stop and killing it when its lease is in doubt. Left out: derived from ttl."},
		"Lease.slack":      {is: "Allowance for scheduling delays on top of stopGrace. Left out: derived from ttl."},
		"Lease.lockDelay":  {is: "How long the lease of a crashed run stays closed after it ended. Left out: derived from ttl."},
		"Lease.store":      {is: "What keeps the leases: the one Redis, a majority of independent Redis servers, or etcd."},
		"Lease.redlock":    {is: "Leases by a majority of independent Redis servers; for store: redlock."},
		"Lease.etcd":       {is: "Leases in etcd; for store: etcd."},

		"Clock.maxOffset": {is: "Beyond this difference from the store's clock the replica takes no ticks; from 100ms to 1m."},
		"Metrics.perJob": {
			is:    "Whether each job has series of its own: auto says yes up to 5,000 jobs; else all share the job_name _other.",
			words: []string{"auto", "always", "never"},
		},
		"Tracing.endpoint": {
			is:      "URL of a receiver of OTLP over HTTP; left out: nothing is traced.",
			pattern: `^(https?://[^@?#]+)?$`, such: []string{"http://127.0.0.1:4318/v1/traces"},
		},
		"Tracing.headers":     {is: "Headers of each request to it; a value is better { env: NAME } or { file: PATH }.", most: "20"},
		"Tracing.sampleRatio": {is: "Share of ticks that are traced, the same ones on every replica.", least: "0", most: "1"},
		"Log.format":          {is: "auto is text on a terminal, else json.", words: []string{"auto", "text", "json"}},
		"Log.level":           {is: "The least important lines that are written."},
	}
}

// storeNotes is about the stores.
func storeNotes() map[string]note {
	const (
		user     = "User to sign in as; needs password."
		password = "Password, better as { env: NAME } or { file: PATH }; it is read again for each connection."
		tls      = "Encryption; a field other than enabled turns it on."
		address  = `^[^@/ ]+:[0-9]+$`
	)
	return map[string]note{
		"Redis.addr": {
			is:      "host:port of Redis, or embedded: a Redis inside this process, for one process only.",
			pattern: `^(embedded|[^@/ ]+:[0-9]+)$`, most: "300", such: []string{"redis:6379", "embedded"},
		},
		"Redis.addrs":        {is: "Addresses of the sentinels, or of some nodes of a Cluster; instead of addr.", pattern: address, most: "64"},
		"Redis.sentinel":     {is: "Redis is watched by sentinels: addr or addrs are theirs."},
		"Redis.cluster":      {is: "Redis is a Cluster."},
		"Redis.username":     {is: user},
		"Redis.password":     {is: password},
		"Redis.db":           {is: "Number of the database; 0 for a Cluster.", least: "0", most: "65535"},
		"Redis.protocol":     {is: "Version of the protocol, RESP.", least: "2", most: "3"},
		"Redis.tls":          {is: tls},
		"Redis.waitReplicas": {is: "Replicas of Redis that must have a lease before it counts; 0: none.", least: "0", most: "16"},
		"Redis.waitTimeout":  {is: "How long they are waited for; less than lease.tryTimeout, of which it is half if left out.", usual: none},
		"Redis.waitAOF":      {is: "They, and the master, must have it on disk."},

		"Sentinel.master":   {is: "Name by which the sentinels know the master."},
		"Sentinel.username": {is: user},
		"Sentinel.password": {is: password},

		"TLS.enabled":    {is: "Encrypt. Left out: if another field of tls is given.", usual: none},
		"TLS.ca":         {is: "File of the authorities to trust; left out: those of the system."},
		"TLS.cert":       {is: "File of the client's certificate; needs key."},
		"TLS.key":        {is: "File of the certificate's private key; needs cert."},
		"TLS.serverName": {is: "Name in the server's certificate; left out: the host that is connected to."},

		"Redlock.addrs":       {is: "host:port of an odd number of independent Redis servers, 3 to 15.", pattern: address, most: "15"},
		"Redlock.username":    {is: user},
		"Redlock.password":    {is: password},
		"Redlock.tls":         {is: tls},
		"Redlock.nodeTimeout": {is: "What one server may cost; at most lease.tryTimeout, from which it is derived if left out.", usual: none},
		"Redlock.durable":     {is: "No server forgets by a restart: one that has just started may vote."},

		"Etcd.endpoints": {is: "host:port of the members of etcd.", pattern: address, most: "64"},
		"Etcd.username":  {is: user},
		"Etcd.password":  {is: password},
		"Etcd.tls":       {is: tls},
		"Etcd.prefix":    {is: "What the keys in etcd begin with.", pattern: `^[A-Za-z0-9._~/:-]+$`, most: "100"},
	}
}
