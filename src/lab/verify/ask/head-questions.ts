import { gzipSync } from "node:zlib";
import { servicePath } from "../../../fake/contract/operations.js";
import type { SituationId } from "../../../fake/contract/situations.js";
import { formText, formType, type Question, request, requestOnce } from "./question.js";
import type { VerifyRun } from "./run.js";

/** Paths, methods and types, in the order in which they are asked. What may be taken for no filter is guarded. */
export const pathQuestions = {
  "other path": request((run) => run.get(run.bodyOf("F"), { path: `/api/${run.groups.prefix}?x=1` })),
  "trailing slash": request((run) => run.get(run.bodyOf("F"), { path: `${servicePath}/` })),
  "POST /videos": request((run) => run.post({ current_token: run.token() }, { path: "/videos" })),
  "other method": request((run) => run.get(run.bodyOf("F"), { method: "PUT" })),
  HEAD: request((run) => run.get(undefined, { method: "HEAD", headers: { "Content-Type": undefined } })),
  OPTIONS: {
    ask: async (run) => {
      const headers = { "Content-Type": undefined };
      const exchange = await run.send(() => run.get(undefined, { method: "OPTIONS", headers }));
      return { ...exchange, outcome: exchange.received.status === 204 ? "no content" : undefined };
    },
  },
  gzip: request((run) => {
    const body = gzipSync(JSON.stringify(run.bodyOf("F")));
    return run.get(body, { headers: { "Content-Encoding": "gzip" } });
  }),
  "GET: no body": request((run) => run.get(undefined)),
  "fields in the query": request((run) => {
    const { id, name } = run.group("F");
    return run.get(undefined, { path: `${servicePath}?${formText({ user_group_id: id, name })}` });
  }),
  "GET: no Content-Type": request((run) => {
    return run.get(run.bodyOf("F"), { headers: { "Content-Type": undefined } });
  }),
  "GET: form": request((run) => run.get(formText(run.bodyOf("F")), { headers: formType })),
  "GET: other Content-Type": request((run) => {
    return run.get(run.bodyOf("F"), { headers: { "Content-Type": "text/plain" } });
  }),
  "GET: broken JSON": request((run) => run.get(`${JSON.stringify(run.bodyOf("F")).slice(0, -1)},}`)),
  "GET: text after the JSON": request((run) => run.get(`${JSON.stringify(run.bodyOf("F"))}}`)),
  "GET: not an object": request((run) => run.get([])),
} as const satisfies { readonly [Id in SituationId]?: Question };

/** A look-up of F with another Authorization. It is sent once: a service may lock an account. */
function withAuthorization(value: (run: VerifyRun) => string | undefined): Question {
  return requestOnce((run) => run.get(run.bodyOf("F"), { headers: { Authorization: value(run) } }));
}

/** The last requests of all, those first that a service is most likely to accept. */
export const apiTokenQuestions = {
  "scheme in lower case": withAuthorization(({ target }) => `token ${target.apiToken}`),
  "other scheme": withAuthorization(({ target }) => `Bearer ${target.apiToken}`),
  "API token without scheme": withAuthorization(({ target }) => target.apiToken),
  "no API token": withAuthorization(() => undefined),
  "wrong API token": withAuthorization(({ groups }) => `Token ${groups.prefix}-wrong-1`),
} as const satisfies { readonly [Id in SituationId]?: Question };
