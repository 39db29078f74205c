import http from "node:http";

/** Which tool intercepts the HTTP requests of this process, if any. No document of these tools promises the signs. */
export function activeInterceptor(): "nock" | "msw" | undefined {
  if (http.ClientRequest.name === "OverriddenClientRequest") return "nock";
  const symbols = Object.getOwnPropertySymbols(globalThis).map(({ description = "" }) => description);
  return symbols.some((name) => /^(client-request|fetch)-interceptor$/.test(name)) ? "msw" : undefined;
}
