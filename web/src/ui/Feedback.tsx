import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api/error";
import type { Resource } from "../api/resource";
import { serverNow } from "../time/clock";
import { duration } from "../time/duration";
import { Button } from "./Button";
import { useAwaited } from "./rows";

/** useSlow reports whether something has been under way for so long that it should be seen to be: 200 ms. */
export function useSlow(busy: boolean, after = 200): boolean {
  const [slow, set] = useState(false);
  useEffect(() => {
    if (!busy) {
      set(false);
      return;
    }
    const timer = setTimeout(() => set(true), after);
    return () => clearTimeout(timer);
  }, [busy, after]);
  return busy && slow;
}

/** Skeleton holds the place of rows that are not there yet; nothing for the first 200 ms. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const slow = useSlow(true);
  useAwaited(true);
  return (
    <div class="skeleton" role="status" aria-label={slow ? "Loading" : undefined}>
      {slow && Array.from({ length: rows }, (_, i) => <div key={i} class="skeleton-row" />)}
    </div>
  );
}

/** Empty says why there is nothing, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** ErrorNote shows a refusal, with what finds it in the log. */
export function ErrorNote({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  return (
    <div class="note bad" role="alert">
      <p>
        <strong>{error.title || "It did not work"}</strong> {error.detail}
      </p>
      {error.faults.length > 0 && (
        <ul>
          {error.faults.map((f) => (
            <li key={`${f.location} ${f.message}`}>
              {f.location && <code>{f.location.replace(/^body\./, "")}</code>} {f.message}
            </li>
          ))}
        </ul>
      )}
      {error.requestId && (
        <p class="muted">
          Request <code>{error.requestId}</code>, as in the log of the replica
        </p>
      )}
      {retry && (
        <Button small onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Banner is a line about the whole screen. */
export function Banner({
  tone,
  children,
}: {
  tone: "info" | "warning" | "bad";
  children: ComponentChildren;
}) {
  return (
    <div class={`banner ${tone}`} role="status">
      {children}
    </div>
  );
}

/**
 * Loaded shows what a resource gives: a skeleton before it is there, the error when it never came, and old data
 * with its age when it could not be asked for again.
 */
export function Loaded<T>({
  resource,
  rows,
  children,
}: {
  resource: Resource<T>;
  rows?: number;
  children: (data: T) => ComponentChildren;
}) {
  const { data, error, at, refresh } = resource;
  useAwaited(resource.changing);
  if (data === undefined) {
    return error ? <ErrorNote error={error} retry={refresh} /> : <Skeleton {...(rows ? { rows } : {})} />;
  }
  return (
    <>
      {error && (
        <Banner tone="warning">
          <span>
            <strong>As of {duration(Math.max(1, (Date.now() - at) / 1000))} ago.</strong> {error.message}
          </span>
          <Button small onClick={refresh}>
            Try again
          </Button>
        </Banner>
      )}
      {children(data)}
    </>
  );
}

/** since is how many seconds ago a moment was, on the server's clock; never less than 0. */
export function since(at: string): number {
  return Math.max(0, (serverNow() - Date.parse(at)) / 1000);
}
