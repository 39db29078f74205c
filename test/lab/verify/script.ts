import type { IncomingHttpHeaders } from "node:http";
import { exchange } from "../../../src/foundation/exchange.js";
import { parseJson } from "../../../src/foundation/json.js";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

interface Parts {
  readonly method?: string;
  readonly path?: string;
  readonly authorization?: string | null;
  readonly type?: string | null;
}

/** Requests that verify does not send: other values, other orders. Returns each request with its response. */
export async function playScript(
  url: string,
  apiTokens: readonly [string, string],
): Promise<[string, Answer][]> {
  const played: [string, Answer][] = [];
  const [one, two] = apiTokens;
  const send = async (title: string, body: unknown, parts: Parts = {}): Promise<Answer> => {
    const {
      method = "GET",
      path = "/api/user",
      authorization = `Token ${one}`,
      type = "application/json",
    } = parts;
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const headers = {
      ...(type !== null && { "Content-Type": type }),
      ...(authorization !== null && { Authorization: authorization }),
    };
    for (;;) {
      const received = await exchange(new URL(url + path), {
        method,
        headers,
        text,
        timeoutMs: 10_000,
      }).catch(() => undefined);
      // The weather is not compared.
      if (received === undefined || [429, 503].includes(received.status)) continue;
      const answer = { ...received, json: parseJson(received.text) };
      played.push([title, answer]);
      return answer;
    }
  };
  const tokenOf = (answer: Answer) => String(Object(Object(answer.json).user_group).token);
  const post = (title: string, body: unknown, parts?: Parts) =>
    send(title, body, { method: "POST", ...parts });

  const acme = {
    user_group_id: "acme",
    name: "Acme",
    mapping: { "7": "x" },
    properties: { region: "EU", n: [1, 2] },
  };
  const first = tokenOf(await send("create", acme));
  await send("look up", { user_group_id: "acme" });
  await send("look up with other properties", { ...acme, properties: { region: "US" } });
  await send("rename", { user_group_id: "acme", name: "Acme 2" });
  const second = tokenOf(await post("rotate", { current_token: first }));
  const third = tokenOf(
    await post("rotate again, with a filename", { current_token: second, filename: "a.mov" }),
  );
  await post("the first token", { current_token: first });
  await post("the second token", { current_token: second });
  await post("a token in another alphabet", { current_token: "zzz-not-a-token" });
  await post("a token of another team", { current_token: third }, { authorization: `Token ${two}` });
  await send("look up after rotations", { user_group_id: "acme" });
  await send("the same id in another team", acme, { authorization: `Token ${two}` });
  await send("create with the least", { user_group_id: "Grüße/😀", name: "x" });
  await send("create with nested properties", {
    user_group_id: "b",
    name: "B",
    properties: { a: { b: [{}] } },
  });
  await send("no id", { name: "B" });
  await send("id true", { user_group_id: true, name: "B" });
  await send("id is an object", { user_group_id: { a: 1 }, name: "B" });
  await send("no name", { user_group_id: "c" });
  await send("name is an array", { user_group_id: "c", name: ["C"] });
  await send("name empty", { user_group_id: "c", name: "" });
  await send("mapping is an array", { user_group_id: "c", name: "C", mapping: [] });
  await send("properties is a number", { user_group_id: "c", name: "C", properties: 5 });
  await send("two wrong fields", { name: 5, properties: [] });
  await send("name null for a group that exists", { user_group_id: "acme", name: null });
  await send("an unknown field", { user_group_id: "d", name: "D", color: "red" });
  await send("a trailing slash", { user_group_id: "acme" }, { path: "/api/user/" });
  await send("a string", '"text"');
  await send("not JSON", "{'a': 1}");
  await send("no body", undefined);
  await post("no token, POST", {});
  await post("token is an object", { current_token: {} });
  await post("token empty", { current_token: "" });
  await send("another path", undefined, { path: "/v2/groups" });
  await post("another path, POST", acme, { path: "/api/users/5" });
  await send("XML", "<a/>", { type: "application/xml" });
  await send("no header", acme, { authorization: null });
  await send("Basic", acme, { authorization: "Basic YTpi" });
  await post("an unknown API token, POST", { current_token: third }, { authorization: "Token never-issued" });
  await send("PUT", acme, { method: "PUT" });
  await post("rotate last", { current_token: third });
  return played;
}
