import type { FailureCause } from "../generated/types.js";

/** A failed request and its cause. */
export interface FailedRequest {
  readonly id: number;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The code of the failure, or the delivery of the response. */
  readonly cause: string;
  /** Message and notes. They separate a missing header from a wrong token, which have one code. */
  readonly texts: readonly string[];
}

/** How many causes of one test are listed. */
const maxCauses = 20;

/** Groups failed requests of one test by their cause, newest first. @param whyOf describes the last one of a group */
export function sameCauses<Request extends FailedRequest>(
  failed: Iterable<Request>,
  whyOf: (last: Request) => string,
): FailureCause[] {
  const groups = new Map<string, { count: number; last: Request }>();
  for (const last of failed) {
    // Numbers and quoted values differ from request to request.
    const key = [last.cause, ...last.texts].join("\n").replace(/\d+|"[^"]*"/g, "…");
    groups.set(key, { count: (groups.get(key)?.count ?? 0) + 1, last });
  }
  return [...groups.values()]
    .sort((a, b) => b.last.at - a.last.at || b.last.id - a.last.id)
    .slice(0, maxCauses)
    .map(({ count, last }) => {
      const { id, at, cause } = last;
      return { cause, count, last: id, at: new Date(at).toISOString(), why: whyOf(last) };
    });
}
