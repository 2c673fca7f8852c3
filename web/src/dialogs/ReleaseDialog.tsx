import { useState } from "preact/hooks";
import { post } from "../api/client";
import type { Lease } from "../api/types";
import { Time } from "../time/Time";
import { Facts, TextField } from "../ui/Field";
import { ActionDialog } from "./ActionDialog";

/** ReleaseDialog takes a lease away from whoever has it. The token it was seen with must still be that of it. */
export function ReleaseDialog({ lease, onClose }: { lease: Lease; onClose: () => void }) {
  const { job, token } = lease;
  const [typed, type] = useState("");
  return (
    <ActionDialog
      verb="Release"
      object={`the lease of ${job}`}
      onClose={onClose}
      told={`The lease of ${job} is taken away`}
      danger
      needsReason
      blocked={typed.trim() === job ? undefined : "Type the job's name first."}
      command={["scheduler", "lease", "release", job, "--token", String(token)]}
      submit={(reason) =>
        post("/api/v1/leases/{job}/release", { reason, confirmJob: typed.trim(), token }, { path: { job } })
      }
    >
      <p class="note bad">
        <strong>The job may run twice.</strong> {lease.holder ?? "The holder"} hears of it at its next renewal
        and stops then. Others are kept out until the lease would have ended; if the holder's process hangs,
        what it has begun may still go on.
      </p>
      <Facts
        facts={[
          ["Holder", lease.holder ?? "–"],
          ["Token", <code>{token}</code>],
          ["Held since", <Time at={lease.acquired} />],
        ]}
      />
      <TextField
        label={`The job's name, ${job}, once more`}
        name="confirm"
        value={typed}
        onText={type}
        required
      />
    </ActionDialog>
  );
}
