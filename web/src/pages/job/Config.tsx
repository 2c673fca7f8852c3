import { address } from "../../api/client";
import type { JobDetails } from "../../api/types";
import { Link } from "../../router";
import { CommandLine, commandLine, CopyButton } from "../../ui/Copy";
import { yamlOf } from "./yaml";

/** Config shows a job as it is in force, defaults and all, and where it is written. */
export function Config({ job: j }: { job: JobDetails }) {
  const yaml = yamlOf(j);
  const where = j.source ? `${j.source.file}:${j.source.line}` : undefined;
  return (
    <div class="card-box config">
      <div class="section-head">
        <h2>In force</h2>
        {where && (
          <span>
            defined in <code>{where}</code> <CopyButton text={where} label="Copy place" />
          </span>
        )}
        <span class="grow" />
        <CopyButton text={yaml} label="Copy as YAML" />
        <CopyButton text={curlOf(j.name)} label="Copy as curl" />
      </div>
      <pre tabIndex={0} aria-label={`${j.name} as YAML`}>
        {yaml}
      </pre>
      <CommandLine
        label="With what it runs"
        command={commandLine(
          "scheduler",
          "config",
          "show",
          "--effective",
          "-c",
          j.source?.file ?? "config.yaml",
        )}
      />
      <p class="muted">
        Defaults are filled in. <Link to="/config">Which revision each replica runs by</Link>
      </p>
    </div>
  );
}

/** curlOf asks the API for a job, as this page does. */
export function curlOf(job: string): string {
  return commandLine("curl", "-fsS", address("/api/v1/jobs/{job}", { path: { job } }));
}
