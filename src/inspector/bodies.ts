import { useEffect, useState } from "preact/hooks";
import type { JournalEntry, RequestBody } from "../generated/types.js";
import { admin } from "./admin-api.js";

/**
 * Both bodies as text; undefined until they are loaded. They are loaded before a click on a copy button, because
 * browsers allow copying only synchronously in the click handler.
 */
export function useBodies(entry: JournalEntry, epoch: number | undefined): RequestBody | undefined {
  const [loaded, setLoaded] = useState<{ readonly of: JournalEntry; readonly bodies: RequestBody }>();
  useEffect(() => {
    let active = true;
    const show = (bodies: RequestBody) => active && setLoaded({ of: entry, bodies });
    admin("getRequestBody", { id: entry.id, query: epoch === undefined ? {} : { epoch } }).then(show, () => {
      // The entry is no longer in the journal. The parsed bodies are shown instead.
      const { request, response } = entry;
      show({ request: bodyText(request.body), response: bodyText(response?.body ?? null) });
    });
    return () => {
      active = false;
    };
  }, [entry, epoch]);
  return loaded?.of === entry ? loaded.bodies : undefined;
}

function bodyText(body: unknown): string | null {
  return body === null ? null : textOf(body);
}

export function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
