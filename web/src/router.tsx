import type { ComponentChildren } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import { createStore, useStore } from "./store";

/** base is the path below which the page lives, with a slash at its end. */
export const base = new URL(document.baseURI).pathname.replace(/[^/]*$/, "");

interface Place {
  path: string; // below base, with a slash at its beginning
  search: string;
  hash: string;
}

function here(): Place {
  const { pathname, search, hash } = window.location;
  return { path: "/" + pathname.slice(base.length), search, hash };
}

const place = createStore<Place>(here());
window.addEventListener("popstate", () => place.set(here()));

/** href is a path of the page, such as "/jobs/x?tab=runs", as a link has it. */
export function href(path: string): string {
  return base + path.replace(/^\//, "");
}

/** navigate goes to a path of the page. */
export function navigate(path: string, options: { replace?: boolean } = {}): void {
  const before = place.get().path;
  window.history[options.replace ? "replaceState" : "pushState"](null, "", href(path));
  place.set(here());
  if (place.get().path !== before) window.scrollTo(0, 0);
}

/** usePath returns the path of the page. */
export function usePath(): string {
  return useStore(place, (p) => p.path);
}

/** useHash returns what is after the # of the address, without it. */
export function useHash(): string {
  return useStore(place, (p) => p.hash.slice(1));
}

/**
 * useQuery returns what the address asks for, and how to change some of it: "" takes a parameter out. Filters,
 * sorting and pages live here, so that a link shows the same to somebody else.
 */
export function useQuery(): [URLSearchParams, (some: Record<string, string>, replace?: boolean) => void] {
  const search = useStore(place, (p) => p.search);
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback((some: Record<string, string>, replace = false) => {
    const next = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(some)) {
      if (value) next.set(key, value);
      else next.delete(key);
    }
    const text = next.toString();
    navigate(place.get().path + (text ? `?${text}` : ""), { replace });
  }, []);
  return [query, change];
}

/** withQuery is the present address with some parameters changed, for links. */
export function withQuery(some: Record<string, string>): string {
  const next = new URLSearchParams(window.location.search);
  for (const [key, value] of Object.entries(some)) {
    if (value) next.set(key, value);
    else next.delete(key);
  }
  const text = next.toString();
  return here().path + (text ? `?${text}` : "");
}

/** match takes a path apart by a pattern such as "/jobs/{job}"; undefined: it is another. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const want = pattern.split("/");
  const have = path.replace(/(.)\/$/, "$1").split("/");
  if (want.length !== have.length) return undefined;
  const found: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const value = have[i]!;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (!name) {
      if (part !== value) return undefined;
    } else {
      try {
        found[name] = decodeURIComponent(value);
      } catch {
        return undefined;
      }
    }
  }
  return found;
}

export interface LinkProps {
  /** A path of the page. */
  to: string;
  class?: string;
  title?: string | undefined;
  "aria-current"?: "page" | "true" | undefined;
  "aria-label"?: string | undefined;
  onClick?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** Link goes to a path of the page without loading it anew. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={href(to)}
      onClick={(e) => {
        onClick?.();
        if (e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
        e.preventDefault();
        navigate(to);
      }}
    />
  );
}

/** jobPath and runPath are the addresses of a job and of a run. */
export const jobPath = (job: string) => `/jobs/${encodeURIComponent(job)}`;
export const runPath = (run: string) => `/runs/${encodeURIComponent(run)}`;
