import { post } from "../api/client";
import { useResource } from "../api/resource";
import { toast } from "../ui/announce";
import { Loaded } from "../ui/Feedback";
import { Time } from "../time/Time";
import { ActionDialog } from "./ActionDialog";

/** SkipDialog has a job leave out its next tick, and only that. */
export function SkipDialog({ job, onClose }: { job: string; onClose: () => void }) {
  const next = useResource("/api/v1/jobs/{job}/next", { path: { job }, query: { n: 2 } });
  const [first, second] = next.data?.items ?? [];
  return (
    <ActionDialog
      verb="Skip next"
      object={job}
      onClose={onClose}
      blocked={next.data && !first ? "It has no next tick." : undefined}
      command={["scheduler", "job", "skip-next", job]}
      submit={async (reason) => {
        // Without a key it is sent once: twice would be two ticks.
        const skipped = await post("/api/v1/jobs/{job}/skip-next", reason ? { reason } : {}, {
          path: { job },
        });
        toast(`${job} skips ${skipped.tick}`);
      }}
    >
      <Loaded resource={next} rows={2}>
        {(n) =>
          first ? (
            <p>
              It does not run <Time at={first.utc} job={n.timeZone} />
              {second && (
                <>
                  , and again <Time at={second.utc} job={n.timeZone} />
                </>
              )}
              . If it has been taken by then, the one after it is left out.
            </p>
          ) : (
            <p>{n.reason ?? "It has no next tick."}</p>
          )
        }
      </Loaded>
    </ActionDialog>
  );
}
