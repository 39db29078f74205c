import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { operationIds, operations } from "../../src/contract/operations.js";
import type { Operation } from "../../src/generated/types.js";

/** An HTTP server of no particular kind; `await using` ends it, and throws what `handle` has thrown. */
export interface PlainServer extends AsyncDisposable {
  readonly url: string;
}

export async function plainServer(
  handle: (...args: Parameters<RequestListener>) => unknown,
): Promise<PlainServer> {
  const thrown: unknown[] = [];
  const server = createServer(async (req, res) => {
    try {
      await handle(req, res);
    } catch (error) {
      thrown.push(error);
      req.socket.destroy();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      if (thrown.length > 0) throw thrown[0];
    },
  };
}

export type Group = Record<"team_id" | "token" | "name" | "provided_id", unknown>;

/** What the service is asked, with what it knows. */
export interface Question {
  readonly operation: Operation;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the API token; undefined where it is none of ours. */
  readonly team: number | undefined;
  /** The group that it is about, as it is kept; undefined where there is none. */
  readonly group: Group | undefined;
  /** A token that was never given out. */
  readonly newToken: () => string;
}

export interface PlainAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Changes what an honest service would answer, or what it keeps. */
export type Lie = (honest: PlainAnswer, question: Question) => PlainAnswer;

const teams = new Map([
  ["Token secret", 1],
  ["Token secret-of-another-team", 2],
]);

/** What the document shows and no more, written without the fake. */
export function plainService(lie: Lie = (honest) => honest): Promise<PlainServer> {
  const groups: Group[] = [];
  let tokens = 0;
  const newToken = () => String(1_000 + ++tokens);
  return plainServer(async (req, res) => {
    const body: Record<string, unknown> = JSON.parse(await text(req));
    const operation = operationIds.find((id) => operations[id].method === req.method) ?? "get-or-create";
    const team = teams.get(req.headers.authorization ?? "");
    const group = groups.find(({ team_id, provided_id, token }) =>
      operation === "rotate"
        ? token === String(body.current_token)
        : team_id === team && provided_id === body.user_group_id,
    );
    const question = { operation, body, team, group, newToken } as const;
    try {
      const { status, body: answer } = lie(honestAnswer(req, question, groups), question);
      res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    } catch (error) {
      // Without this, verify would wait for its timeout.
      res.destroy();
      throw error;
    }
  });
}

const failed: PlainAnswer = { status: 400, body: { success: 0 } };

function honestAnswer(req: IncomingMessage, question: Question, groups: Group[]): PlainAnswer {
  if (question.team === undefined || req.url !== "/api/user") return failed;
  return performers[question.operation]({ ...question, team: question.team }, groups);
}

type Perform = (question: Question & { readonly team: number }, groups: Group[]) => PlainAnswer;

const performers: Readonly<Record<Operation, Perform>> = {
  rotate: ({ team, group, newToken }) => {
    if (group?.team_id !== team) return failed;
    group.token = newToken();
    return { status: 200, body: { success: 1, user_group: { ...group } } };
  },
  "get-or-create": ({ team, group, body, newToken }, groups) => {
    if (group !== undefined) {
      return { status: 200, body: { success: 1, new_user_group: false, user_group: { ...group } } };
    }
    const { user_group_id, name } = body;
    if (typeof user_group_id !== "string" || typeof name !== "string") return failed;
    const made: Group = { team_id: team, token: newToken(), name, provided_id: user_group_id };
    groups.push(made);
    return { status: 200, body: { success: 1, new_user_group: true, user_group: { ...made } } };
  },
};
