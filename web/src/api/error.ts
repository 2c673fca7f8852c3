/** Fault is one thing wrong with what was asked. */
export interface Fault {
  location?: string;
  message: string;
}

/** ApiError is a refusal: a problem document, or no answer at all (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** The last word of the problem's type, such as "job-not-found"; "offline" when nobody answered. */
    readonly type: string,
    readonly title: string,
    readonly detail: string,
    readonly faults: Fault[] = [],
    /** What finds the request in the log of the replica; "" when there is none. */
    readonly requestId = "",
    /** Seconds until it makes sense to ask again; 0: nobody said. */
    readonly retryAfter = 0,
  ) {
    super(detail || title);
  }
}

/** offline is the error of a request that nobody answered. */
export function offline(): ApiError {
  return new ApiError(
    0,
    "offline",
    "No answer",
    "This replica does not answer. Is it up, and reachable from here?",
  );
}

const prefix = "urn:solocron:problem:";

/** errorOf reads the refusal in an answer. */
export async function errorOf(res: Response): Promise<ApiError> {
  const id = res.headers.get("X-Request-Id") ?? "";
  const after = Number(res.headers.get("Retry-After") ?? 0) || 0;
  try {
    const p = (await res.json()) as {
      type?: string;
      title?: string;
      detail?: string;
      errors?: Fault[];
      requestId?: string;
    };
    const type = (p.type ?? "").startsWith(prefix) ? p.type!.slice(prefix.length) : "unknown";
    return new ApiError(
      res.status,
      type,
      p.title ?? "",
      p.detail ?? "",
      p.errors ?? [],
      p.requestId ?? id,
      after,
    );
  } catch {
    return new ApiError(res.status, "unknown", `Status ${res.status}`, res.statusText, [], id, after);
  }
}
