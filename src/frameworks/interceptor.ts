import http from "node:http";

const hints = {
  nock: ' nock is active. Allow requests to the mock: nock.enableNetConnect("127.0.0.1")',
  msw: " msw is active. Allow requests to the mock: setupServer(http.all(/^http:\\/\\/127\\.0\\.0\\.1:/, () => passthrough()))",
};

/** How to let requests pass a tool that intercepts them in this process. The tools do not document how to detect them. */
export function interceptorHint(): string {
  if (http.ClientRequest.name === "OverriddenClientRequest") return hints.nock;
  const symbols = Object.getOwnPropertySymbols(globalThis).map(({ description = "" }) => description);
  return symbols.some((name) => /^(client-request|fetch)-interceptor$/.test(name)) ? hints.msw : "";
}
