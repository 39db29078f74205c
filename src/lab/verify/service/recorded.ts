import { isObject, type JsonObject, parseJson } from "../../../foundation/json.js";
import type { ReceivedResponse } from "./received-response.js";

/** A request as it is sent. Without a text, it has no body. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

/** A request of the run, with its response. */
export interface Recorded {
  /** The name of the question that sent it. For a further request, the title of its action. */
  readonly question: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** It has several mistakes at once. No profile can express which of them the service reports. */
  readonly hasSeveralMistakes?: boolean | undefined;
  /** Why no profile can express another difference, if there is one. For the user. */
  readonly inexpressible?: string | undefined;
}

/** The fields of a body. A body that is not a JSON object has none. */
export function sentFields({ text = "" }: SentRequest): JsonObject {
  const json = parseJson(text);
  return isObject(json) ? json : {};
}
