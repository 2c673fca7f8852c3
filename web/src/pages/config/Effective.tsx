import { useResource } from "../../api/resource";
import { useQuery } from "../../router";
import { CommandLine, commandLine, CopyButton } from "../../ui/Copy";
import { Loaded } from "../../ui/Feedback";
import { SelectField } from "../../ui/Field";
import { yamlOf } from "../job/yaml";

/** Effective shows a job as it is in force, with what its file leaves out. */
export function Effective({ file }: { file: string | undefined }) {
  const [query, change] = useQuery();
  const jobs = useResource("/api/v1/jobs", { query: { sort: "name", pageSize: 500 } }, { every: 300_000 });
  const names = jobs.data?.items.map((j) => j.name) ?? [];
  const job = query.get("job") || names[0] || "";
  const details = useResource("/api/v1/jobs/{job}", { path: { job } }, { when: job !== "", every: 300_000 });
  return (
    <>
      <SelectField
        label="Job"
        value={job}
        options={names.map((name) => ({ value: name, label: name }))}
        onPick={(name) => change({ job: name }, true)}
      />
      {job !== "" && (
        <Loaded resource={details} rows={4}>
          {(j) => {
            const text = yamlOf(j);
            return (
              <div class="yaml">
                <div class="yaml-head">
                  <span class="muted">
                    {j.source ? `${j.source.file}:${j.source.line}` : "not from a file"}
                  </span>
                  <CopyButton text={text} label="Copy YAML" />
                </div>
                <pre tabIndex={0}>{text}</pre>
              </div>
            );
          }}
        </Loaded>
      )}
      <CommandLine
        label="All of it"
        command={commandLine("scheduler", "config", "show", "--effective", "-c", file || "config.yaml")}
      />
    </>
  );
}
