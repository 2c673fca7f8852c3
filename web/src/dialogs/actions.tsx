import { createStore, useStore } from "../store";
import { BackfillDialog } from "./BackfillDialog";
import { PauseDialog, ResumeDialog } from "./PauseDialogs";
import { SkipDialog } from "./SkipDialog";
import { TriggerDialog } from "./TriggerDialog";

/** Asking is the dialog about a job that is open. */
export type Asking = { about: "trigger" | "pause" | "resume" | "backfill" | "skip"; job: string };

const asking = createStore<Asking | undefined>(undefined);

/** ask opens a dialog about a job. */
export function ask(about: Asking["about"], job: string): void {
  asking.set({ about, job });
}

/** JobDialogs is where they are shown; the page has one. */
export function JobDialogs() {
  const open = useStore(asking);
  if (!open) return null;
  const close = () => asking.set(undefined);
  switch (open.about) {
    case "trigger":
      return <TriggerDialog job={open.job} onClose={close} />;
    case "pause":
      return <PauseDialog job={open.job} onClose={close} />;
    case "resume":
      return <ResumeDialog job={open.job} onClose={close} />;
    case "backfill":
      return <BackfillDialog job={open.job} onClose={close} />;
    case "skip":
      return <SkipDialog job={open.job} onClose={close} />;
  }
}
