import { heard } from "../time/clock";
import { ApiError, errorOf, offline } from "./error";
import type { paths } from "./schema";

type Json<R> = R extends { content: { "application/json": infer T } } ? T : never;
type Answers<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 202)]> : never;

/** GetPath is every path of the API that gives JSON. */
export type GetPath = {
  [P in keyof paths]: paths[P] extends { get: infer O } ? ([Answers<O>] extends [never] ? never : P) : never;
}[keyof paths];
/** PostPath is every path of the API that changes something. */
export type PostPath = {
  [P in keyof paths]: paths[P] extends { post: infer O } ? ([Answers<O>] extends [never] ? never : P) : never;
}[keyof paths];

/** Got is what a path gives. */
export type Got<P extends GetPath> = paths[P] extends { get: infer O } ? Answers<O> : never;
/** Done is what a path answers when it has changed something. */
export type Done<P extends PostPath> = paths[P] extends { post: infer O } ? Answers<O> : never;
/** Body is what a path wants to be sent. */
export type Body<P extends PostPath> = paths[P] extends {
  post: { requestBody?: { content: { "application/json": infer B } } };
}
  ? B
  : undefined;

/** Values are parameters; undefined and "" are left out. */
export type Values = Record<string, string | number | boolean | undefined>;

/** Where fills in a path. */
export interface Where {
  path?: Record<string, string>;
  query?: Values;
  signal?: AbortSignal;
}

/** address is a path of this listener as the browser reaches it, below the base path. */
export function address(path: string, where: Where = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(where.path?.[name] ?? ""),
  );
  const url = new URL(filled.replace(/^\//, ""), document.baseURI);
  for (const [key, value] of Object.entries(where.query ?? {})) {
    if (value !== undefined && value !== "") url.searchParams.set(key, String(value));
  }
  return url.href;
}

/** onUnauthenticated is called when an answer says that nobody is signed in. */
let onUnauthenticated = () => {};
export function whenSignedOut(fn: () => void): void {
  onUnauthenticated = fn;
}

/** send makes one request; whatever is no success is thrown as an ApiError. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  let res: Response;
  const asked = Date.now();
  try {
    res = await fetch(url, { credentials: "same-origin", ...init });
  } catch (err) {
    if ((err as Error).name === "AbortError") throw err;
    throw offline();
  }
  const date = res.headers.get("Date");
  if (date) heard(Date.parse(date) + 500, asked, Date.now(), 1000);
  if (res.ok) return res;
  const err = await errorOf(res);
  if (err.status === 401) onUnauthenticated();
  throw err;
}

/** get reads what is at a path of the API, such as get("/api/v1/jobs/{job}", { path: { job } }). */
export async function get<P extends GetPath>(path: P, where: Where = {}): Promise<Got<P>> {
  const asked = Date.now();
  const res = await send(address(path, where), {
    headers: { Accept: "application/json" },
    ...(where.signal ? { signal: where.signal } : {}),
  });
  const got = (await res.json()) as Got<P>;
  const { serverTime, stale } = got as { serverTime?: string; stale?: boolean };
  if (serverTime && !stale) heard(Date.parse(serverTime), asked, Date.now(), 0); // what is remembered is not now
  return got;
}

/** How often a request with a key is made when nobody answers: the key makes it one wish. */
const tries = 3;

/**
 * post changes something. With a key it is safe to send it again: all requests of one key are one wish, so
 * what got no answer is repeated. Without one it is sent once.
 */
export async function post<P extends PostPath>(
  path: P,
  body: Body<P>,
  where: Where & { key?: string } = {},
): Promise<Done<P>> {
  const headers: Record<string, string> = { "Content-Type": "application/json", Accept: "application/json" };
  if (where.key) headers["Idempotency-Key"] = where.key;
  for (let left = where.key ? tries : 1; ; left--) {
    try {
      const res = await send(address(path, where), {
        method: "POST",
        headers,
        body: JSON.stringify(body ?? {}),
        ...(where.signal ? { signal: where.signal } : {}),
      });
      return (await res.json()) as Done<P>;
    } catch (err) {
      if (!(err instanceof ApiError) || err.status !== 0 || left <= 1) throw err;
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}

/** newKey returns an idempotency key: one for each dialog, made when it opens. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID is missing on plain HTTP
  return "page-" + [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}
