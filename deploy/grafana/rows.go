package grafana

// row is panels under a title.
type row struct {
	title  string
	panels []panel
}

// The series of the cluster that people choose, and of its jobs.
const (
	cluster = `namespace=~"$namespace", job=~"$job"`
	some    = cluster + `, job_name=~"$job_name"`
)

func variables() []variable {
	labels := func(name, label, query string) variable {
		return variable{
			Name: name, Label: label, Type: "query", Query: query, Datasource: chosen(),
			IncludeAll: true, Multi: true, AllValue: ".*", Refresh: 2, Sort: 1,
		}
	}
	return []variable{
		{Name: "datasource", Label: "Data source", Type: "datasource", Query: "prometheus", Refresh: 1},
		labels("namespace", "Namespace", "label_values(solocron_build_info, namespace)"),
		labels("job", "Cluster", `label_values(solocron_build_info{namespace=~"$namespace"}, job)`),
		labels("job_name", "Job", "label_values(solocron_running{"+cluster+"}, job_name)"),
	}
}

func rows() []row {
	return []row{working(), jobs(), times(), leases(), store(), replicas()}
}

func working() row {
	return row{"Is it working?", []panel{
		figure("Replicas scraped", "None is bad; fewer than usual is a replica that is down.", "none", 1e9,
			query{`count(solocron_build_info{` + cluster + `})`, "replicas"}),
		figure("Failing jobs", "Jobs whose last run failed.", "none", 1, query{`count(
  max by (namespace, job, job_name) (solocron_job_last_failure_timestamp_seconds{` + some + `})
  unless on (namespace, job, job_name)
  (max by (namespace, job, job_name) (solocron_job_last_success_timestamp_seconds{` + some + `})
    >= max by (namespace, job, job_name) (solocron_job_last_failure_timestamp_seconds{` + some + `}))
)`, "failing"}),
		figure("Overdue jobs", "Jobs with a tick that no replica has dealt with.", "none", 1,
			query{`count(time() - max by (namespace, job, job_name) (solocron_job_expected_by_timestamp_seconds{` + some + `}) > 120)`, "overdue"}),
		figure("Missed in a day", "Scheduled moments that passed without a run.", "none", 1,
			query{`sum(round(increase(solocron_ticks_total{` + some + `, verdict="missed"}[1d])))`, "missed"}),
		figure("Dead letters", "Runs that failed for good and wait for somebody.", "none", 1,
			query{`max(solocron_dead_letters{` + cluster + `})`, "dead letters"}),
		figure("Replicas that reach the store", "Fewer than there are replicas: look at the network or at Redis.", "none", 1e9,
			query{`sum(solocron_store_up{` + cluster + `})`, "reach it"}),
	}}
}

func jobs() row {
	return row{"Jobs", []panel{
		chart("Verdicts", "How ticks and requests ended.", "none",
			query{`sum by (verdict) (increase(solocron_ticks_total{` + some + `}[$__rate_interval]))`, "{{verdict}}"}),
		chart("Not succeeded", "By job and verdict.", "none",
			query{`sum by (job_name, verdict) (increase(solocron_ticks_total{` + some + `, verdict!~"succeeded|skipped"}[$__rate_interval])) > 0`, "{{job_name}} {{verdict}}"}),
		chart("Running", "Runs in progress in the cluster.", "none",
			query{`sum by (job_name) (solocron_running{` + some + `}) > 0`, "{{job_name}}"},
			query{`sum by (job_name) (solocron_runs_stuck{` + some + `}) > 0`, "{{job_name}} stuck"}),
		table("Since the last success", "How long ago each job last succeeded.", "s",
			query{`sort_desc(time() - max by (job_name) (solocron_job_last_success_timestamp_seconds{` + some + `}))`, "{{job_name}}"}),
		table("Until the next tick", "When each job is due.", "s",
			query{`sort(min by (job_name) (solocron_job_next_run_timestamp_seconds{` + some + `}) - time())`, "{{job_name}}"}),
		chart("Waiting", "Requests that nobody has begun, and how long the one has waited that has been due for longest.", "none",
			query{`max(solocron_requests_queued{` + cluster + `})`, "requests"},
			query{`max(solocron_request_oldest_wait_seconds{` + cluster + `})`, "seconds"}),
		chart("Retries", "Attempts that failed and were followed by another.", "none",
			query{`sum by (job_name) (increase(solocron_run_retries_total{` + some + `}[$__rate_interval])) > 0`, "{{job_name}}"}),
		chart("Oldest run", "How long the run has been in progress that began first.", "s",
			query{`time() - min by (job_name) (solocron_oldest_run_start_timestamp_seconds{` + some + `})`, "{{job_name}}"}),
	}}
}

// quantiles asks for a median and a 99th percentile.
func quantiles(metric, where, by string) []query {
	var all []query
	for _, q := range []string{"0.5", "0.99"} {
		legend := "p" + q[2:]
		if by != "" {
			legend = "{{" + by + "}} " + legend
		}
		group := "le"
		if by != "" {
			group = by + ", le"
		}
		all = append(all, query{`histogram_quantile(` + q + `, sum by (` + group + `) (rate(` + metric + `_bucket{` + where + `}[$__rate_interval])))`, legend})
	}
	return all
}

func times() row {
	return row{"Delays and durations", []panel{
		chart("Start delay", "From the scheduled moment to the first line of the job.", "s", quantiles("solocron_start_delay_seconds", some, "")...),
		chart("Duration", "Quantiles come from buckets.", "s", quantiles("solocron_run_duration_seconds", some, "job_name")...),
		chart("Near the timeout", "Share of the runs of a day that took four fifths of their timeout or more.", "percentunit", query{
			`sum by (job_name) (increase(solocron_runs_near_timeout_total{` + some + `}[1d]))
  / (sum by (job_name) (increase(solocron_run_duration_seconds_count{` + some + `}[1d])) > 0)`, "{{job_name}}",
		}),
	}}
}

func leases() row {
	return row{"Leases", []panel{
		chart("Claims", "By what the store answered.", "ops",
			query{`sum by (answer) (rate(solocron_lease_operations_total{` + cluster + `, op="claim"}[$__rate_interval])) > 0`, "{{answer}}"}),
		chart("Renewals that failed", "And the time left of the lease that ends first.", "none",
			query{`sum by (instance) (increase(solocron_lease_renewals_failed_total{` + cluster + `}[$__rate_interval]))`, "{{instance}}"},
			query{`min(solocron_lease_remaining_seconds{` + cluster + `})`, "seconds left"}),
		chart("Runs cut short, and worse", "Lost leases; runs that go on without one; releases that came too late.", "none",
			query{`sum by (job_name) (increase(solocron_leases_lost_total{` + some + `}[$__rate_interval])) > 0`, "{{job_name}} lost"},
			query{`sum by (job_name) (increase(solocron_run_overruns_total{` + some + `}[$__rate_interval])) > 0`, "{{job_name}} overran"},
			query{`sum(increase(solocron_lease_abnormal_releases_total{` + cluster + `}[$__rate_interval]))`, "abnormal releases"}),
	}}
}

func store() row {
	return row{"Store", []panel{
		chart("Latency of the lease store", "Of calls, each of which carries many items.", "s",
			quantiles("solocron_lease_operation_duration_seconds", cluster, "op")...),
		chart("Latency of the journal", "", "s", quantiles("solocron_journal_operation_duration_seconds", cluster, "op")...),
		chart("Errors", "Calls without an answer, by what was the matter.", "ops",
			query{`sum by (class) (rate(solocron_store_errors_total{` + cluster + `}[$__rate_interval])) > 0`, "leases: {{class}}"},
			query{`sum by (class) (rate(solocron_journal_errors_total{` + cluster + `}[$__rate_interval])) > 0`, "journal: {{class}}"}),
		chart("Circuit breaker", "0 closed, 1 half-open, 2 open.", "none",
			query{`max by (instance) (solocron_store_breaker_state{` + cluster + `})`, "{{instance}}"},
			query{`sum by (instance) (increase(solocron_store_breaker_opened_total{` + cluster + `}[$__rate_interval]))`, "{{instance}} opened"}),
		chart("Changes of the store", "Restarts, failovers, another server.", "none",
			query{`max by (instance) (increase(solocron_store_changes_total{` + cluster + `}[$__rate_interval]))`, "{{instance}}"}),
		chart("Since the last answer", "", "s",
			query{`time() - max by (instance) (solocron_store_last_answer_timestamp_seconds{` + cluster + `})`, "{{instance}}"},
			query{`1 - min by (instance) (solocron_journal_up{` + cluster + `})`, "{{instance}} without a journal"}),
	}}
}

func replicas() row {
	return row{"Replicas", []panel{
		table("Programs", "", "none", query{`sum by (instance, version, revision, goversion) (solocron_build_info{` + cluster + `})`, "{{instance}}"}),
		table("Configurations", "", "none", query{`sum by (instance, revision) (solocron_config_info{` + cluster + `})`, "{{instance}}"}),
		chart("Clock", "What the lease store's clock is ahead of the replica's.", "s",
			query{`max by (instance) (solocron_clock_offset_seconds{` + cluster + `})`, "{{instance}}"}),
		chart("Ready, and fit", "", "none",
			query{`min by (instance) (solocron_replica_ready{` + cluster + `})`, "{{instance}} ready"},
			query{`max by (instance) (solocron_replica_unfit{` + cluster + `}) > 0`, "{{instance}} unfit"},
			query{`min by (instance) (solocron_replicas_live{` + cluster + `})`, "{{instance}} sees"}),
		chart("Timer lag", "High: too little processor time.", "s",
			query{`max by (instance) (solocron_timer_lag_seconds{` + cluster + `})`, "{{instance}}"}),
		chart("Configuration loads", "", "none",
			query{`sum by (instance, result) (increase(solocron_config_loads_total{` + cluster + `}[$__rate_interval])) > 0`, "{{instance}} {{result}}"},
			query{`min by (instance) (solocron_config_last_reload_successful{` + cluster + `}) < 1`, "{{instance}} refused"}),
		chart("Notifications", "", "none",
			query{`sum by (outcome) (increase(solocron_notifications_total{` + cluster + `}[$__rate_interval]))`, "{{outcome}}"}),
	}}
}
