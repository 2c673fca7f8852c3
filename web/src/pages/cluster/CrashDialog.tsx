import { address, post } from "../../api/client";
import { ActionDialog } from "../../dialogs/ActionDialog";

/** CrashDialog has a replica of the trial cluster of `scheduler dev` end as if its machine had. */
export function CrashDialog({ replica, onClose }: { replica: string; onClose: () => void }) {
  const path = { replica };
  return (
    <ActionDialog
      verb="Crash"
      object={replica}
      onClose={onClose}
      danger
      told={`${replica} is cut off: see the timeline`}
      command={(reason) => [
        ...["curl", "-X", "POST", address("/api/v1/replicas/{replica}/crash", { path })],
        ...["-H", "Content-Type: application/json", "-d", JSON.stringify(reason ? { reason } : {})],
      ]}
      submit={(reason) => post("/api/v1/replicas/{replica}/crash", reason ? { reason } : {}, { path })}
    >
      <p>
        It is cut off without a goodbye, as by kill -9. Its leases run out, another replica finds what it had
        begun and goes on where the job says so, under a higher token; a new replica comes in its place after
        some seconds.
      </p>
    </ActionDialog>
  );
}
