import type { components } from "../../api/schema";
import { Time } from "../../time/Time";
import { Table } from "../../ui/Table";

type Reload = components["schemas"]["Reload"];

/** Trouble is one thing wrong with a configuration: where, and what. */
interface Trouble {
  file?: string;
  line: number;
  col: number;
  path?: string;
  message: string;
  warning?: boolean;
}

/** placeOf is where a trouble is, as compilers say it. */
export function placeOf(t: Pick<Trouble, "file" | "line" | "col">): string {
  return [t.file, t.line || undefined, t.line ? t.col || undefined : undefined].filter(Boolean).join(":");
}

/** LastReload says how it went to read the configuration again. */
export function LastReload({ reload, kept }: { reload: Reload | null; kept: string | undefined }) {
  if (!reload) {
    return (
      <p class="muted">
        It has not been read again since the start. A change of the file is taken without a restart.
      </p>
    );
  }
  const troubles = reload.problems as unknown as Trouble[];
  return (
    <>
      <div class={reload.ok ? "note" : "note bad"}>
        <p>
          {reload.ok ? (
            <>
              <strong>Read again</strong> <Time at={reload.at} />, and taken.
            </>
          ) : (
            <>
              <strong>Refused</strong> <Time at={reload.at} />: kept{" "}
              <code>{kept?.slice(0, 8) ?? "what was there"}</code> whole.
            </>
          )}
        </p>
      </div>
      {troubles.length > 0 && (
        <Table
          caption={reload.ok ? "What to know about it" : "Why it was refused"}
          rows={troubles}
          rowKey={(t) => `${placeOf(t)} ${t.path} ${t.message}`}
          columns={[
            { key: "place", title: "Where", cell: (t) => <code>{placeOf(t) || "–"}</code> },
            { key: "path", title: "What", cell: (t) => <code>{t.path ?? "–"}</code> },
            { key: "message", title: "Problem", cell: (t) => t.message },
          ]}
        />
      )}
    </>
  );
}
