/** A tool that intercepts requests in the process of a test does not show that it is active. */
export const awaited = "was the request awaited? If nock or msw is active, let requests to the mock pass.";

const getBody =
  "fetch cannot send a GET with a body, and get-or-create needs one. Use undici.request, axios, got or node:http instead.";

/** In the error with which fetch rejects a GET with a body. */
export const getBodyError = /GET\/HEAD.* method cannot have body/;

/**
 * What the output of a failed test and its report say if no request arrived.
 * @param url that the test was given. Undefined if it is not known, or the report is about a command
 */
export function describeNoRequest(url: string | undefined, isGetBodyError: boolean): string {
  const [what, where] = url === undefined ? ["", ""] : [" of this test", ` at ${url}`];
  const nothing = `No request${what} reached the mock${where}`;
  if (isGetBodyError) return `${nothing}: ${getBody}`;
  return `${nothing}. Does your program use ${url === undefined ? "its" : "this"} URL, and ${awaited}`;
}
