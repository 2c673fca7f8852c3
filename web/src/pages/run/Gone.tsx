import { useResource } from "../../api/resource";
import { jobPath, Link } from "../../router";
import { parseDuration, roughly } from "../../time/duration";
import { Banner, Empty } from "../../ui/Feedback";
import { jobOf } from "./id";

/** Gone stands where a run would, that nobody remembers. */
export function Gone({ id }: { id: string }) {
  const job = jobOf(id);
  const details = useResource("/api/v1/jobs/{job}", { path: { job } }, { when: job !== "" });
  const kept = details.data?.policies?.history;
  const age = parseDuration(kept?.maxAge);
  return (
    <Empty title="Expired from history">
      <p>
        <code>{id}</code>
      </p>
      <p>
        {kept ? (
          <>
            Of {job} the last {kept.succeeded} runs that succeeded and the last {kept.failed} that did not are
            kept
            {age ? `, for ${roughly(age)} at most` : ""}. This run is not among them, or it never was.
          </>
        ) : (
          <>Of each job so many runs are kept. This one is not among them, or it never was.</>
        )}
      </p>
      {details.error?.type === "job-not-found" && <Banner tone="info">There is no job {job} either.</Banner>}
      <p class="acts">
        {kept && (
          <Link to={jobPath(job)} class="button plain">
            Runs of {job}
          </Link>
        )}
        <Link to="/runs" class="button plain">
          All runs
        </Link>
      </p>
    </Empty>
  );
}
