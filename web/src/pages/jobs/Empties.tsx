import { Link } from "../../router";
import { CommandLine } from "../../ui/Copy";
import { Empty } from "../../ui/Feedback";

const first = `jobs:
  - name: hello
    schedule: "*/5 * * * *"
    command: [/bin/echo, hello]
    timeZone: Europe/Berlin
    timeout: 1m`;

/** NoJobs shows how the first job is made. */
export function NoJobs() {
  return (
    <Empty title="No job is configured yet">
      <p>Jobs are written in the configuration file that each replica reads. Six lines make one:</p>
      <pre>{first}</pre>
      <CommandLine label="Then check it" command="scheduler config validate -c config.yaml" />
      <CommandLine label="Or try the sample" command="scheduler dev" />
    </Empty>
  );
}

/** Filtered says that there are jobs, but none that were asked for. */
export function Filtered() {
  return (
    <Empty title="No job matches">
      <p>There are jobs, but none with all that was asked for.</p>
      <Link to="/" class="button primary">
        Clear filters
      </Link>
    </Empty>
  );
}
