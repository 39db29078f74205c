import type { SituationId } from "../../../fake/contract/situations.js";
import { type Question, requestOnce } from "./question.js";
import type { VerifyRun } from "./run.js";

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
