import type { JournalEntry } from "../generated/types.js";
import { requestName } from "./entry-facts.js";
import type { ReportedError } from "./report-data.js";

/** A request that arrived in the world of an earlier test while this one ran. */
export interface ElsewhereRequest {
  /** The label of that test. */
  readonly test: string;
  readonly request: JournalEntry;
}

/** A tool that intercepts requests in the process of a test does not show that it is active. */
export const awaited = "was the request awaited? If nock or msw is active, let requests to the mock pass.";

const getBody =
  "fetch cannot send a GET with a body, and get-or-create needs one. Use undici.request, axios, got or node:http instead.";

/** Whether the error is that of fetch for a GET with a body. A program may have wrapped it. */
export function isGetBodyError(error: ReportedError | undefined): boolean {
  return messagesOf(error).some((text) => /GET\/HEAD.* method cannot have body/.test(text));
}

/**
 * What the output of a failed test and its report say if no request arrived. Empty if the error explains itself.
 * @param url that the test was given. Undefined if it is not known, or the report is about a command
 */
export function describeNoRequest(
  url: string | undefined,
  error: ReportedError | undefined,
  elsewhere?: ElsewhereRequest,
): string {
  const [what, where] = url === undefined ? ["", ""] : [" of this test", ` at ${url}`];
  const nothing = `No request${what} reached the mock${where}`;
  if (isGetBodyError(error)) return `${nothing}: ${getBody}`;
  if (elsewhere !== undefined) {
    const { test, request } = elsewhere;
    const arrived = `#${request.id} ${requestName(request)} arrived in the world of the test "${test}"`;
    return `${nothing}. ${arrived}: is its URL kept from there?`;
  }
  if (error !== undefined && !canBeOfRequest(error)) return "";
  return `${nothing}. Does your program use ${url === undefined ? "its" : "this"} URL, and ${awaited}`;
}

/** Codes and messages of a connection that failed. */
const networkErrors =
  /\b(?:E(?:CONN|HOST|NET|PIPE|AI_|TIMEDOUT|NOTFOUND)\w*|ENOTFOUND|UND_ERR\w*|fetch failed)\b/;

/** Words of an error about a connection, another server, or a response that is not there. */
const requestWords =
  /\b(?:network|socket|request|response|connect\w*|http\w*|status|unavailable|JSON)\b|\b[45]\d\d\b/i;

/** How the frameworks begin the message of a hook that took too long. */
const hookTimedOut = /^(?:Hook timed out|".*" hook timeout)/;

/** Whether a request that went elsewhere, or that nobody awaited, can have led to an error. An exception has its own reason. */
function canBeOfRequest(error: ReportedError): boolean {
  const { kind, code, lines, message } = error;
  // The test used a method in a wrong way. Of these errors, only a timeout can have to do with requests.
  if (kind === "mock") return code === "timeout";
  if (lines?.thrownIn === "hook" || hookTimedOut.test(message)) return false;
  if (kind !== undefined || messagesOf(error).some((text) => networkErrors.test(text))) return true;
  return lines?.thrownIn !== "test" && messagesOf(error).some((text) => requestWords.test(text));
}

function messagesOf({ message = "", causes = [] }: Partial<ReportedError> = {}): readonly string[] {
  return [message, ...causes];
}
