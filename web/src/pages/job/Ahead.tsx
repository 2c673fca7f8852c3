import type { JobDetails } from "../../api/types";
import { Time } from "../../time/Time";

/** Ahead lists the next moments of a job, with what is special about each. */
export function Ahead({ job: j }: { job: JobDetails }) {
  const next = j.upcoming ?? [];
  return (
    <section class="card-box ahead" aria-labelledby="ahead">
      <h2 id="ahead">Next {next.length || ""}</h2>
      {!next.length && <p class="muted">{j.nextRunReason || j.nextNote || "It has no further moments."}</p>}
      <ol>
        {next.map((u, i) => (
          <li key={u.utc} class={u.runs ? "" : "stopped"}>
            <Time at={u.utc} job={j.timeZone} />
            {j.timeZone !== "UTC" && <span class="sub"> {utcOf(u.utc)}</span>}
            {u.release && (
              <span class="sub">
                {" "}
                released <Time at={u.release} job={j.timeZone} show="clock" />
              </span>
            )}
            {(u.note || !u.runs) && u.note !== next[i - 1]?.note && (
              <div class={u.runs ? "sub" : "sub tone-skipped"}>
                {u.runs ? "" : "does not run: "}
                {u.note}
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** utcOf is a moment in UTC without its date: 01:30Z. */
function utcOf(at: string): string {
  return `${at.slice(11, 16)}Z`;
}
