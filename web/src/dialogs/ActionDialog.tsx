import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { newKey } from "../api/client";
import { ApiError, offline } from "../api/error";
import { useSession } from "../api/session";
import { useStoreDown } from "../shell/StatusStrip";
import { toast } from "../ui/announce";
import { Button } from "../ui/Button";
import { CommandLine, commandLine } from "../ui/Copy";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/Feedback";
import { TextField } from "../ui/Field";

export interface ActionDialogProps<T> {
  /** What is done to what: "Trigger" and "nightly-report". */
  verb: string;
  object: string;
  onClose: () => void;
  /** What is worth knowing before it is done. */
  children?: ComponentChildren;
  /** The words of the command that does the same; the reason is added, unless they are made of it. */
  command: string[] | ((reason: string) => string[]);
  /** submit does it. All requests of one dialog have one key, so that it is done once. */
  submit: (reason: string, key: string) => Promise<T>;
  /** done is what the dialog says afterwards; left out: it closes, and told is shown for some seconds. */
  done?: (result: T) => ComponentChildren;
  told?: string;
  /** It is hard to undo. */
  danger?: boolean;
  needsReason?: boolean;
  /** A reason why it cannot be sent as things are, beside an empty reason. */
  blocked?: string | undefined;
}

/**
 * ActionDialog asks before something is done: where it is, why it is done, what does the same in a shell. However
 * often its button is pressed, and however often the network fails, it is one wish.
 */
export function ActionDialog<T>(props: ActionDialogProps<T>) {
  const { verb, object, onClose, command, submit, done, danger, needsReason } = props;
  const [key] = useState(newKey);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<{ value: T }>();
  const sending = useRef(false);
  const answered = useRef(0);
  const place = useSession()?.environment.name;
  const down = useStoreDown();
  const blocked = props.blocked ?? (down ? "The store does not answer: wait until it does." : undefined);

  async function send() {
    if (sending.current) return; // the second half of a double click
    sending.current = true;
    setBusy(true);
    setError(undefined);
    try {
      const value = await submit(reason.trim(), key);
      if (props.told) toast(props.told);
      if (!done) return onClose();
      answered.current = performance.now();
      setResult({ value });
    } catch (err) {
      setError(err instanceof ApiError ? err : offline());
    }
    sending.current = false;
    setBusy(false);
  }

  const why = reason.trim();
  const words =
    typeof command === "function" ? command(why) : [...command, ...(why ? ["--reason", why] : [])];
  const title = (
    <>
      {verb} <strong>{object}</strong> <Place />
    </>
  );
  if (result && done) {
    return (
      <Dialog title={title} onClose={onClose}>
        <div class="dialog-main">{done(result.value)}</div>
        <footer class="dialog-foot">
          <Button look="primary" onClick={() => slowly(answered.current) && onClose()}>
            Close
          </Button>
        </footer>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="dialog-main"
        onSubmit={(e) => {
          e.preventDefault();
          void send();
        }}
      >
        {props.children}
        <TextField
          label="Reason"
          name="reason"
          value={reason}
          onText={setReason}
          required={needsReason ?? false}
          maxLength={500}
          hint="Kept in Activity, for those who look later."
        />
        <CommandLine command={commandLine(...words)} />
        {error && <ErrorNote error={error} />}
        <footer class="dialog-foot">
          {blocked && <span class="muted">{blocked}</span>}
          <Button onClick={onClose}>Cancel</Button>
          <Button look={danger ? "danger" : "primary"} submit busy={busy} disabled={blocked !== undefined}>
            {verb}
            {place ? ` in ${place}` : ""}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** slowly is false for the second half of a double click: Close has come to where Trigger was. */
const slowly = (since: number) => performance.now() - since > 500;

/** Place is the badge of the environment; nothing where it has no name. */
export function Place() {
  const env = useSession()?.environment;
  return env?.name ? <span class={`place tone-${env.tone}`}>{env.name}</span> : null;
}
