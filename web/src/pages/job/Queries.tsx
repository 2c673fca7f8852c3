import { CommandLine } from "../../ui/Copy";
import { queriesOf } from "./queries";

/** Queries shows what to ask Prometheus about a job. */
export function Queries({ job }: { job: string }) {
  return (
    <div class="card-box queries">
      <p class="muted">
        Each replica counts what it did itself. Where several clusters are scraped, add the labels namespace
        and job of your targets.
      </p>
      <ul>
        {queriesOf(job).map((q) => (
          <li key={q.promql}>
            <p>{q.about}</p>
            <CommandLine label="PromQL" command={q.promql} />
          </li>
        ))}
      </ul>
    </div>
  );
}
