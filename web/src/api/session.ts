import { createStore, useStore } from "../store";
import { address, get, send, whenSignedOut } from "./client";
import { ApiError } from "./error";
import type { Role, Session } from "./types";

/** Standing is what is known of whoever looks at the page. */
export type Standing =
  | { is: "unknown" } // it is being asked
  | { is: "in"; session: Session }
  | { is: "out"; ways: { token: boolean; oidc: boolean } }
  | { is: "silent"; error: ApiError };

const standing = createStore<Standing>({ is: "unknown" });

/** loadSession asks who looks at the page. It is called again after a sign-in. */
export async function loadSession(): Promise<void> {
  try {
    standing.set({ is: "in", session: await get("/api/v1/session") });
  } catch (err) {
    if (!(err instanceof ApiError)) throw err;
    if (err.status === 401) await signedOut();
    else if (standing.get().is !== "in") standing.set({ is: "silent", error: err });
  }
}

let asking = false;

/** signedOut finds out how one may sign in, and shows it. */
async function signedOut(): Promise<void> {
  if (asking || standing.get().is === "out") return;
  asking = true;
  try {
    const res = await send(address("/login"), { headers: { Accept: "application/json" } });
    standing.set({ is: "out", ways: (await res.json()) as { token: boolean; oidc: boolean } });
  } catch (err) {
    standing.set({ is: "silent", error: err as ApiError });
  } finally {
    asking = false;
  }
}

whenSignedOut(() => void signedOut());

/** signIn trades a token for a cookie; a refusal is thrown. */
export async function signIn(token: string): Promise<void> {
  await send(address("/login"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  await loadSession();
}

/** signOut has the browser forget the cookie. */
export async function signOut(): Promise<void> {
  await send(address("/logout"), { method: "POST" });
  standing.set({ is: "unknown" });
  await loadSession();
}

/** useStanding returns what is known of whoever looks at the page. */
export function useStanding(): Standing {
  return useStore(standing);
}

/** useSession returns who is signed in; undefined while that is not known. */
export function useSession(): Session | undefined {
  return useStore(standing, (s) => (s.is === "in" ? s.session : undefined));
}

const ranks: Record<Role, number> = { viewer: 1, operator: 2, admin: 3 };

/** useMay reports whether whoever looks may do what needs a role. What they may not is not shown at all. */
export function useMay(role: Role): boolean {
  const session = useSession();
  return session !== undefined && ranks[session.role] >= ranks[role];
}
