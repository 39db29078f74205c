import { describe, expect, it } from "vitest";
import { call, type RequestOptions } from "../../call.js";
import { unusedMethod } from "../../unused-methods.js";
import { ownMock } from "../world/own-world.js";
import { exchange } from "./raw-socket.js";
import { request as rawRequest } from "./raw-table.js";

const own = ownMock();

const ask = (method: string, body?: unknown, options?: RequestOptions, path = "/api/user") =>
  call(method, `${own.mock.url}${path}`, body, options);
const typed = (type: string) => ({ headers: { "Content-Type": type } });

describe("failure messages", () => {
  it.each<[RegExp, ...sent: Parameters<typeof ask>]>([
    [/^No body arrived with this GET\. .*Many HTTP clients drop the body of a GET.*Content-Length/, "GET"],
    [/^No body arrived with this POST\. Send a JSON body/, "POST"],
    [
      /^Content-Type: text\/plain is not JSON\. Send Content-Type: application\/json\.$/,
      "GET",
      "{}",
      typed("text/plain"),
    ],
    [
      /^The charset xutf-8 is not supported\. JSON must be UTF-8\. Send/,
      "GET",
      "{}",
      typed("application/json; charset=xutf-8"),
    ],
    [
      /^Content-Encoding: zstd is not supported\. Send one of gzip, deflate, br, identity\.$/,
      "GET",
      "{}",
      { headers: { "Content-Encoding": "zstd" } },
    ],
    [new RegExp(`^${unusedMethod} is not supported\\. The service has GET .*POST`), unusedMethod],
    [/^There is no POST \/videos\./, "POST", {}, {}, "/videos"],
  ])("say what to do: %s", async (message, ...sent) => {
    expect((await ask(...sent)).body.error.message).toMatch(message);
  });

  it("name a missing Content-Type", async () => {
    const [response] = await exchange(own.mock.url, [rawRequest({ type: undefined })]);
    expect(JSON.parse(response?.body ?? "").error.message).toMatch(/^There is no Content-Type\. Send/);
  });
});
