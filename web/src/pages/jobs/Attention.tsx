import { matching, useResource } from "../../api/resource";
import { useMay } from "../../api/session";
import type { Job } from "../../api/types";
import { ask } from "../../dialogs/actions";
import { jobPath, Link, runPath, withQuery } from "../../router";
import { useCluster, useStoreDown, whyDown } from "../../shell/StatusStrip";
import { Time } from "../../time/Time";
import { Button } from "../../ui/Button";
import { lookOf } from "../../ui/status";
import { Status } from "../../ui/Status";
import { inARow, trouble } from "./facts";

/** How many jobs in trouble are shown before the list. */
const shown = 8;

/** Attention shows the jobs in trouble, before all others. */
export function Attention() {
  const failing = useResource(
    "/api/v1/jobs",
    { query: { status: "failing", sort: "-lastRun", pageSize: shown } },
    { on: matching(["run", "job"]), pace: 2000 },
  );
  const all = useCluster()?.states["failing"] ?? 0;
  const jobs = failing.data?.items ?? [];
  if (!jobs.length) return null;
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul>
        {jobs.map((j) => (
          <Item key={j.name} job={j} />
        ))}
      </ul>
      {all > jobs.length && <Link to={withQuery({ status: "failing" })}>All {all} of them</Link>}
    </section>
  );
}

function Item({ job: j }: { job: Job }) {
  const may = useMay("operator");
  const down = useStoreDown();
  const what = trouble(j);
  const times = inARow(j.recent);
  return (
    <li>
      <Status status={what?.status ?? "failing"} />
      <Link to={jobPath(j.name)} class="strong">
        {j.name}
      </Link>
      <span class="attention-what">
        {times > 1 && <strong>{times} in a row, last </strong>}
        <Time at={what?.ended ?? what?.tick} job={j.timeZone} show="both" />{" "}
        <span title={what?.error || what?.why}>
          {what?.error || what?.why || lookOf(what?.status ?? "").word}
        </span>
      </span>
      <span class="acts">
        {what && (
          <Link to={runPath(what.id)} class="button plain small">
            Open run
          </Link>
        )}
        {may && (
          <Button
            small
            disabled={down}
            title={down ? whyDown : undefined}
            aria-label={`Trigger ${j.name}${down ? `: ${whyDown}` : ""}`}
            onClick={() => ask("trigger", j.name)}
          >
            Trigger…
          </Button>
        )}
      </span>
    </li>
  );
}
