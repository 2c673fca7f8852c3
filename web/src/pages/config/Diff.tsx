import type { components } from "../../api/schema";
import { useResource } from "../../api/resource";
import { jobPath, Link, useQuery } from "../../router";
import { Time } from "../../time/Time";
import { Loaded } from "../../ui/Feedback";
import { SelectField } from "../../ui/Field";
import { Table } from "../../ui/Table";

type Config = components["schemas"]["Config"];
type Change = components["schemas"]["Change"];

/** sidesOf are the configurations that can be chosen: those this replica knows, and those of replicas. */
export function sidesOf(c: Config): { value: string; label: string }[] {
  const own = c.known[0];
  const known = c.known.map((revision) => ({
    value: revision,
    label: `${revision.slice(0, 8)}${revision === own ? ", in force here" : ", before that"}`,
  }));
  const others = c.replicas
    .filter((r) => r.revision && !c.known.includes(r.revision))
    .map((r) => ({ value: r.replica, label: `${r.revision.slice(0, 8)}, of ${r.replica}` }));
  return [...known, ...others];
}

/** usualSides are those that somebody most likely wants to compare: what drifts, or else what was changed last. */
export function usualSides(c: Config): [string, string] {
  const sides = sidesOf(c);
  const own = c.known[0] ?? "running";
  const other =
    sides.find((s) => s.value !== own && !c.known.includes(s.value)) ?? sides.find((s) => s.value !== own);
  return [other?.value ?? own, own];
}

/** Diff compares two configurations. */
export function Diff({ config: c }: { config: Config }) {
  const [query, change] = useQuery();
  const sides = sidesOf(c);
  const [usualA, usualB] = usualSides(c);
  const a = query.get("a") || usualA;
  const b = query.get("b") || usualB;
  const difference = useResource(
    "/api/v1/config/diff",
    { query: { a, b } },
    { when: sides.length > 1 && a !== b },
  );
  if (sides.length < 2) {
    return <p class="muted">This replica knows one configuration, so there is nothing to compare it with.</p>;
  }
  return (
    <>
      <div class="pair">
        <SelectField label="From" value={a} options={sides} onPick={(v) => change({ a: v }, true)} />
        <SelectField label="To" value={b} options={sides} onPick={(v) => change({ b: v }, true)} />
      </div>
      {a === b ? (
        <p class="muted">These are the same one.</p>
      ) : difference.error?.type === "unknown-revision" ? (
        <Unknown
          replica={c.replicas.find((r) => r.replica === a || r.replica === b)?.replica}
          detail={difference.error.detail}
        />
      ) : (
        <Loaded resource={difference} rows={2}>
          {(d) =>
            d.same ? (
              <p>They mean the same: what differs is how it is written.</p>
            ) : (
              <Changes changes={d.changes} />
            )
          }
        </Loaded>
      )}
    </>
  );
}

/** Unknown says where to ask when this replica cannot compare. */
function Unknown({ replica, detail }: { replica: string | undefined; detail: string }) {
  return (
    <div class="note">
      <p>
        <strong>It cannot be compared from here.</strong> {detail}
      </p>
      <p>
        A replica knows what it runs by and what it ran by before.{" "}
        {replica ? `Open this page on ${replica}` : "Open this page on the other one"}, or compare its file in
        a shell: <code>scheduler config diff FILE</code>
      </p>
    </div>
  );
}

function Changes({ changes }: { changes: Change[] }) {
  return (
    <Table
      caption="What the change changes"
      hideCaption
      rows={changes}
      rowKey={(c) => `${c.kind} ${c.job ?? ""}`}
      columns={[
        {
          key: "job",
          title: "Job",
          cell: (c) => (c.job ? <Link to={jobPath(c.job)}>{c.job}</Link> : <em>settings</em>),
        },
        {
          key: "kind",
          title: "What",
          cell: (c) => (
            <span class={`kind is-${c.kind}`}>
              {signs[c.kind]} {c.kind}
            </span>
          ),
        },
        { key: "fields", title: "Fields", cell: (c) => <Fields change={c} /> },
        { key: "before", title: "Next run before", cell: (c) => <Time at={c.before} /> },
        { key: "after", title: "And after", cell: (c) => <Time at={c.after} /> },
      ]}
    />
  );
}

const signs = { added: "+", removed: "−", changed: "~" };

function Fields({ change: c }: { change: Change }) {
  if (!c.fields.length)
    return (
      <span class="muted">{c.kind === "added" ? "all of it" : c.kind === "removed" ? "all of it" : "–"}</span>
    );
  return (
    <ul class="fields">
      {c.fields.map((f) => (
        <li key={f.path}>
          <code>{f.path}</code>: <del>{f.old || "nothing"}</del> <span aria-hidden="true">→</span>{" "}
          <ins>{f.new || "nothing"}</ins>
        </li>
      ))}
    </ul>
  );
}
