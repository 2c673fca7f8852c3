import type { ComponentType } from "preact";

/** Params are the parts of a path that a pattern names. */
export interface PageProps {
  params: Record<string, string>;
}

type Load = () => Promise<{ default: ComponentType<PageProps> }>;

/** Route is one screen: where it is, and what loads it when somebody goes there. */
export interface Route {
  pattern: string;
  load: Load;
}

/** routes are all screens. The server knows these addresses too: admin/page/page.go. */
export const routes: Route[] = [
  { pattern: "/", load: () => import("../pages/Jobs") },
  { pattern: "/jobs/{job}", load: () => import("../pages/Job") },
  { pattern: "/timeline", load: () => import("../pages/Timeline") },
  { pattern: "/runs", load: () => import("../pages/Runs") },
  { pattern: "/runs/{run}", load: () => import("../pages/Run") },
  { pattern: "/leases", load: () => import("../pages/Leases") },
  { pattern: "/cluster", load: () => import("../pages/Cluster") },
  { pattern: "/config", load: () => import("../pages/Config") },
  { pattern: "/activity", load: () => import("../pages/Activity") },
];

/** places are what the navigation offers, in this order, with the key that follows g. */
export const places = [
  { path: "/", name: "Jobs", key: "j", phone: true },
  { path: "/timeline", name: "Timeline", key: "t", phone: false },
  { path: "/runs", name: "Runs", key: "r", phone: true },
  { path: "/leases", name: "Leases", key: "l", phone: true },
  { path: "/cluster", name: "Cluster", key: "c", phone: true },
  { path: "/config", name: "Config", key: "f", phone: false },
  { path: "/activity", name: "Activity", key: "a", phone: false },
] as const;

/** placeOf is the place that a path belongs to: a job to Jobs, a run to Runs. */
export function placeOf(path: string): string {
  if (path === "/" || path.startsWith("/jobs/")) return "/";
  return `/${path.split("/")[1] ?? ""}`;
}
