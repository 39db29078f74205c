import type { ReportedError } from "./report-data.js";

/** A tool that intercepts requests in the process of a test does not show that it is active. */
export const awaited = "was the request awaited? If nock or msw is active, let requests to the mock pass.";

const getBody =
  "fetch cannot send a GET with a body, and get-or-create needs one. Use undici.request, axios, got or node:http instead.";

/** Whether the error is that of fetch for a GET with a body. A program may have wrapped it. */
export function isGetBodyError(error: ReportedError | undefined): boolean {
  const { message = "", causes = [] } = error ?? {};
  return [message, ...causes].some((text) => /GET\/HEAD.* method cannot have body/.test(text));
}

/**
 * What the output of a failed test and its report say if no request arrived. Empty if the error explains itself.
 * @param url that the test was given. Undefined if it is not known, or the report is about a command
 */
export function describeNoRequest(url: string | undefined, error: ReportedError | undefined): string {
  const [what, where] = url === undefined ? ["", ""] : [" of this test", ` at ${url}`];
  const nothing = `No request${what} reached the mock${where}`;
  if (isGetBodyError(error)) return `${nothing}: ${getBody}`;
  // The test used a method in a wrong way. Of these errors, only a timeout can have to do with requests.
  if (error?.kind === "mock" && error.code !== "timeout") return "";
  return `${nothing}. Does your program use ${url === undefined ? "its" : "this"} URL, and ${awaited}`;
}
