/** Query is a question to Prometheus about one job. */
export interface Query {
  about: string;
  promql: string;
}

/** queriesOf are questions about a job; the names are those of docs/metrics.md. */
export function queriesOf(job: string): Query[] {
  const one = `{job_name=${JSON.stringify(job)}}`;
  const bad = `{job_name=${JSON.stringify(job)},verdict=~"failed|timed_out|lost|missed"}`;
  return [
    {
      about: "Seconds since it last succeeded, as the replica knows that knows most",
      promql: `time() - max(solocron_job_last_success_timestamp_seconds${one})`,
    },
    {
      about: "Part of its ticks and requests that went wrong, in a day",
      promql: `sum(increase(solocron_ticks_total${bad}[1d])) / sum(increase(solocron_ticks_total${one}[1d]))`,
    },
    {
      about: "How long its runs took: p95 of a day, in seconds",
      promql: `histogram_quantile(0.95, sum by (le) (increase(solocron_run_duration_seconds_bucket${one}[1d])))`,
    },
    {
      about: "How late its runs began: p95 of a day, in seconds",
      promql: `histogram_quantile(0.95, sum by (le) (increase(solocron_start_delay_seconds_bucket${one}[1d])))`,
    },
    { about: "Its runs in progress, by replica", promql: `solocron_running${one} > 0` },
    {
      about: "Seconds by which its next tick is overdue; above 0 no replica does its work",
      promql: `time() - max(solocron_job_expected_by_timestamp_seconds${one})`,
    },
    {
      about: "Its verdicts in a day, by reason",
      promql: `sum by (verdict, reason) (increase(solocron_ticks_total${one}[1d]))`,
    },
  ];
}
