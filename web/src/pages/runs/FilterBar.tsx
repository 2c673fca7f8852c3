import { useEffect, useRef, useState } from "preact/hooks";
import { useResource } from "../../api/resource";
import { Link, useQuery } from "../../router";
import { useCluster } from "../../shell/StatusStrip";
import { Chips } from "../../ui/Chips";
import { lookOf } from "../../ui/status";
import { Glyph } from "../../ui/Status";
import { any, groups, spanNames, statuses, triggers, type Filters } from "./filters";

/** ms after the last key before it counts. */
const patience = 300;

/** FilterBar chooses which runs are listed. It changes the address, and nothing else. */
export function FilterBar({ filters: f }: { filters: Filters }) {
  const [, change] = useQuery();
  const replicas = useCluster()?.replicas.map((r) => r.id) ?? [];
  const pick = (name: keyof Filters) => (value: string) => change({ [name]: value, page: "" });
  const known = f.replica && !replicas.includes(f.replica) ? [...replicas, f.replica] : replicas;
  const own = !groups.some((g) => g.value === f.status);
  return (
    <div class="filters">
      <JobField value={f.job} />
      <Pick label="Trigger" value={f.trigger} onPick={pick("trigger")} all="any trigger" options={triggers} />
      <Pick label="Replica" value={f.replica} onPick={pick("replica")} all="any replica" options={known} />
      <Pick
        label="Time"
        value={f.from || f.to ? "own" : f.span}
        onPick={(value) =>
          change(
            value === "own"
              ? { span: "", from: ago(86_400_000), page: "" }
              : { span: value, from: "", to: "", page: "" },
          )
        }
        all="any time"
        options={[...spanNames, "own"]}
        word={(o) => (o === "own" ? "from … to" : `last ${o}`)}
      />
      <Pick
        label="Status"
        value={own ? f.status : ""}
        onPick={pick("status")}
        all={own ? "any status" : "one status"}
        options={own && !statuses.includes(f.status) ? [...statuses, f.status] : statuses}
        word={(o) => lookOf(o).word}
      />
      {any(f) && (
        <Link to="/runs" class="button bare small">
          Clear filters
        </Link>
      )}
      {(f.from || f.to) && <Between filters={f} />}
      <Chips
        param="status"
        label="Runs by status"
        value={f.status}
        chips={groups.map((g) => ({
          value: g.value,
          label: g.look ? (
            <>
              <Glyph status={g.look} /> <span>{g.label}</span>
            </>
          ) : (
            g.label
          ),
        }))}
      />
    </div>
  );
}

/** ago is a moment before now by the minute, as the address has it. */
function ago(ms: number): string {
  return `${new Date(Date.now() - ms).toISOString().slice(0, 16)}Z`;
}

interface PickProps {
  label: string;
  value: string;
  onPick: (value: string) => void;
  all: string;
  options: readonly string[];
  word?: (option: string) => string;
}

function Pick({ label, value, onPick, all, options, word = (o) => o }: PickProps) {
  return (
    <select
      class={value ? "filter on" : "filter"}
      aria-label={label}
      value={value}
      onChange={(e) => onPick(e.currentTarget.value)}
    >
      <option value="">{all}</option>
      {options.map((o) => (
        <option key={o} value={o}>
          {word(o)}
        </option>
      ))}
    </select>
  );
}

/**
 * JobField is the name of a job; those that there are are offered while one types. Enter takes what is typed, and
 * Escape leaves the one that was taken last.
 */
function JobField({ value }: { value: string }) {
  const [, change] = useQuery();
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState("");
  const [open, setOpen] = useState(false);
  // What this field has put into the address: it must not come back into it, over what was typed meanwhile.
  const own = useRef(value);
  useEffect(() => {
    if (value === own.current) return;
    own.current = value; // somebody went back, or cleared the filters
    setText(value);
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), patience);
    return () => clearTimeout(timer);
  }, [text]);
  const jobs = useResource(
    "/api/v1/jobs",
    { query: { q: asked, sort: "name", pageSize: 20 } },
    { when: open },
  );
  const names = jobs.data?.items.map((j) => j.name) ?? [];
  const take = (text: string) => {
    const job = text.trim();
    if (job === own.current) return; // Enter tells of it twice, and what has a name even before
    own.current = job;
    change({ job, page: "" });
  };
  return (
    <>
      <input
        type="search"
        class="search"
        data-search
        list="jobs"
        value={text}
        placeholder="Job"
        aria-label="Job"
        maxLength={100}
        spellcheck={false}
        onFocus={() => setOpen(true)}
        onInput={(e) => {
          const now = e.currentTarget.value;
          setText(now);
          if (now === "" || names.includes(now)) take(now);
        }}
        onChange={(e) => take(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.isComposing) return;
          if (e.key === "Enter") take(e.currentTarget.value);
          if (e.key !== "Escape") return;
          e.preventDefault(); // the browser would empty it, and all runs would be asked for
          e.currentTarget.value = own.current; // at once: to leave it tells of what stands in it
          setText(own.current);
          e.currentTarget.blur();
        }}
      />
      <datalist id="jobs">
        {names.map((n) => (
          <option key={n} value={n} />
        ))}
      </datalist>
    </>
  );
}

/** Between is from when to when, in UTC. */
function Between({ filters: f }: { filters: Filters }) {
  const [, change] = useQuery();
  const field = (name: "from" | "to", label: string) => (
    <label class="between">
      <span class="muted">{label}</span>
      <input
        type="datetime-local"
        value={f[name].replace(/Z$/, "").slice(0, 16)}
        onChange={(e) => {
          const text = e.currentTarget.value;
          change({ [name]: text ? `${text}Z` : "", page: "" });
        }}
      />
    </label>
  );
  return (
    <span class="betweens">
      {field("from", "from")} {field("to", "to")} <span class="muted">UTC</span>
    </span>
  );
}
