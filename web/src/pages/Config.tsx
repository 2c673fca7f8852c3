import type { components } from "../api/schema";
import { address } from "../api/client";
import { matching, useResource } from "../api/resource";
import { useTitle } from "../shell/title";
import "../styles/watch.css";
import { Time } from "../time/Time";
import { Banner, Loaded } from "../ui/Feedback";
import { Facts } from "../ui/Field";
import { Status } from "../ui/Status";
import { Table } from "../ui/Table";
import { usual, odd } from "./cluster/facts";
import { Diff } from "./config/Diff";
import { Effective } from "./config/Effective";
import { LastReload } from "./config/Reloads";

type Told = components["schemas"]["Config"];

/** Config shows which configuration each replica runs by, how they differ, and what was refused. */
export default function Config() {
  useTitle("Config");
  const config = useResource("/api/v1/config", {}, { on: matching(["config", "replica"]), every: 10_000 });
  return (
    <>
      <div class="page-head">
        <h1>Config</h1>
        {config.data && <InSync config={config.data} />}
        <span class="grow" />
        <a href={address("/api/v1/schema.json")}>JSON Schema</a>
      </div>
      <Loaded resource={config}>
        {(c) => (
          <div class="stack">
            {c.stale && (
              <Banner tone="warning">
                The store does not answer: other replicas are as they were last heard of.
              </Banner>
            )}
            <section class="panel" aria-labelledby="here">
              <h2 id="here">In force on the replica behind this page</h2>
              <Facts
                facts={[
                  [
                    "Revision",
                    <code title={c.loaded?.revision}>{c.loaded?.revision?.slice(0, 12) ?? "–"}</code>,
                  ],
                  ["File", <code>{c.loaded?.file || "built in"}</code>],
                  ["Loaded", <Time at={c.loaded?.at} />],
                  ["Jobs", c.loaded?.jobs ?? "–"],
                ]}
              />
              <LastReload reload={c.lastReload} kept={c.loaded?.revision} />
              <Warnings list={c.loaded?.warnings ?? []} />
            </section>
            <Replicas config={c} />
            <section class="panel" aria-labelledby="differ">
              <h2 id="differ">What differs</h2>
              <Diff config={c} />
            </section>
            <section class="panel" aria-labelledby="effective">
              <h2 id="effective">A job as it is in force, defaults shown</h2>
              <Effective file={c.loaded?.file} />
            </section>
          </div>
        )}
      </Loaded>
    </>
  );
}

function InSync({ config: c }: { config: Told }) {
  const revision = c.loaded?.revision;
  const same = c.replicas.filter((r) => r.revision === revision).length;
  if (!c.drift)
    return (
      <Status
        status="ok"
        word={c.replicas.length > 1 ? `in sync on all ${c.replicas.length} replicas` : "in sync"}
      />
    );
  return <Status status="late" word={`drift: ${same} of ${c.replicas.length} replicas run this one`} />;
}

function Warnings({ list }: { list: string[] }) {
  if (!list.length) return null;
  return (
    <div class="note">
      <p>
        <strong>Allowed, and hardly meant:</strong>
      </p>
      <ul>
        {list.map((w) => (
          <li key={w}>{w}</li>
        ))}
      </ul>
    </div>
  );
}

/** Replicas has a row for each; what is not as with most is marked. */
function Replicas({ config: c }: { config: Told }) {
  const revision = usual(c.replicas.map((r) => r.revision));
  const version = usual(c.replicas.map((r) => r.version));
  const mark = (text: string, differs: boolean) => (
    <span class={differs ? "differs" : ""}>
      <code title={text}>{text.slice(0, 12) || "–"}</code>
      {differs && " !"}
    </span>
  );
  if (!c.replicas.length) return null;
  return (
    <Table
      caption="Of each replica"
      rows={c.replicas}
      rowKey={(r) => r.replica}
      columns={[
        { key: "replica", title: "Replica", cell: (r) => <span class="strong">{r.replica}</span> },
        { key: "revision", title: "Revision", cell: (r) => mark(r.revision, odd(r.revision, revision)) },
        {
          key: "sync",
          title: "Beside this one",
          cell: (r) =>
            !r.revision ? (
              <span class="muted">does not tell</span>
            ) : r.revision === c.loaded?.revision ? (
              <Status status="ok" word="in sync" />
            ) : (
              <Status status="late" word="drift" />
            ),
        },
        { key: "version", title: "Version", cell: (r) => mark(r.version ?? "", odd(r.version, version)) },
      ]}
    />
  );
}
