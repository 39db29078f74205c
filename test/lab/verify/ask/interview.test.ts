import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Interview } from "../../../../src/lab/verify/ask/interview.js";
import { questionCount } from "../../../../src/lab/verify/ask/questions.js";
import { GroupClient } from "../../../../src/lab/verify/service/group-client.js";
import { quick } from "../known-service.js";
import { type PlainServer, plainServer } from "../plain-server.js";
import { rejected, type SeenPart, success } from "../seen-responses.js";

interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  /** How often there was such a request. */
  readonly times: number;
}
type Respond = (request: Arrived) => SeenPart;

let server: PlainServer;
let respond: Respond;

beforeEach(async () => {
  const counts = new Map<string, number>();
  server = await plainServer((req, res) => {
    const { method = "", url: path = "", headers } = req.resume();
    const { authorization } = headers;
    const key = `${method} ${path} ${authorization}`;
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    const { status = 200, body } = respond({ method, path, authorization, times });
    res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
});
afterEach(() => server[Symbol.asyncDispose]());

function begin() {
  const service = new GroupClient(
    { baseUrl: server.url, apiToken: "api-token" },
    { patience: { ...quick, backoffMs: 1, attempts: 1 } },
  );
  const steps: string[] = [];
  const interview = new Interview(service, (question) => steps.push(question));
  return { service, steps, interview };
}

const crash: SeenPart = { status: 500, body: { success: 0 } };
const plain: Respond = ({ method }) => (method === "GET" ? success({ token: "token" }) : rejected);

describe("the first group", () => {
  it("is the one that was created, and is asked about later", async () => {
    respond = () => success({ token: "token" });
    const { interview, service, steps } = begin();
    const first = await interview.askFirstGroup();
    expect(first?.created.isSuccess).toBe(true);
    expect(service.creation?.response).toBe(first?.created);
    expect(first?.later.value).toMatchObject({ isTokenStable: true });
    expect(steps).toEqual(["first group", "first group, later"]);
    expect(interview.entries.map(({ question }) => question)).toEqual([
      "first group",
      ...Array(3).fill("first group, later"),
    ]);
  });

  it("is none if it was rejected, and the answer has the response", async () => {
    respond = () => ({ status: 401, body: { success: 0 } });
    const { interview, service } = begin();
    expect(await interview.askFirstGroup()).toBeUndefined();
    expect(interview.answers.get("first group")?.value).toMatchObject({ created: { status: 401 } });
    expect(service.budget.requests).toBe(1);
  });
});

describe("an interview", () => {
  it("has as many steps as it announces, and asks about wrong API tokens last", async () => {
    respond = plain;
    const { interview, steps } = begin();
    await interview.askFirstGroup();
    await interview.askAll();
    expect(steps).toHaveLength(questionCount);
    expect(steps.slice(-4)).toEqual(["no API token", "auth-scheme", "another scheme", "api-tokens"]);
    expect(steps.slice(-6, -4)).toEqual(["query string", "equal keys"]);
    const names = interview.entries.map(({ question }) => question);
    expect([...new Set(names)]).toEqual(steps.filter((step) => names.includes(step)));
  });

  it("keeps a part of the budget for wrong API tokens, and another for further requests", async () => {
    respond = plain;
    const { interview, service } = begin();
    await interview.askFirstGroup();
    for (let n = 0; n < 117 - 4; n++) service.budget.spend(false);
    await interview.askAll();
    const why = "verify sends at most 150 requests";
    expect(interview.answers.get("old-token")).toEqual({ why });
    expect(interview.answers.get("api-tokens")?.why).toBeUndefined();
    // Each of the four questions needs one request here.
    expect(service.budget.requests).toBe(117 + 4);
  });
});

describe("an internal error", () => {
  /** What is found about one question if requests fail. */
  async function ask(question: "trailing-slash" | "auth-scheme", isFailing: (request: Arrived) => boolean) {
    respond = (request) => (isFailing(request) ? crash : plain(request));
    const { interview, steps } = begin();
    await interview.askFirstGroup();
    await interview.askAll();
    const entries = interview.entries.filter((entry) => entry.question === question);
    return {
      answer: interview.answers.get(question),
      statuses: entries.map(({ response }) => response.status),
      asked: steps.filter((step) => step === question).length,
    };
  }

  it("that is repeated is a response of the service, without asking the whole question again", async () => {
    expect(await ask("trailing-slash", ({ path }) => path === "/api/user/")).toEqual({
      answer: { value: "rejected" },
      statuses: [500],
      asked: 1,
    });
  });

  it("that is not repeated is left out, and the question is asked again", async () => {
    expect(await ask("trailing-slash", ({ path, times }) => path === "/api/user/" && times === 1)).toEqual({
      answer: { value: "accepted" },
      statuses: [200],
      asked: 2,
    });
  });

  it("proves nothing in the questions about wrong API tokens, which are asked once", async () => {
    const isLower = ({ authorization }: Arrived) => authorization === "token api-token";
    expect(await ask("auth-scheme", isLower)).toEqual({
      answer: { why: "a request returned 500, which was not confirmed", unanswered: true },
      statuses: [],
      asked: 1,
    });
  });
});
