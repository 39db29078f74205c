import http from "node:http";

/** The tool that intercepts the HTTP requests of this process, if any. These tools do not document how to detect them. */
export function activeInterceptor(): "nock" | "msw" | undefined {
  if (http.ClientRequest.name === "OverriddenClientRequest") return "nock";
  const symbols = Object.getOwnPropertySymbols(globalThis).map(({ description = "" }) => description);
  return symbols.some((name) => /^(client-request|fetch)-interceptor$/.test(name)) ? "msw" : undefined;
}
