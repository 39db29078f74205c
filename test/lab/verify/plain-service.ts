import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { operationIds, operations } from "../../../src/contract/operations.js";
import type { Operation } from "../../../src/generated/types.js";

/** Any HTTP server. `await using` stops it, and throws what `handle` has thrown. */
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

/** A request, with what the service knows about it. */
export interface PlainRequest {
  readonly operation: Operation;
  readonly body: Readonly<Record<string, unknown>>;
  /** The team of the API token; undefined if the token is unknown. */
  readonly team: number | undefined;
  /** The stored group that the request names, if it exists. */
  readonly group: Group | undefined;
  /** Issues a new token. */
  readonly newToken: () => string;
}

export interface PlainResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Changes the response of the correct service, or what it stores. */
export type Deviation = (correct: PlainResponse, request: PlainRequest) => PlainResponse;

const teams = new Map([
  ["Token secret", 1],
  ["Token secret-of-another-team", 2],
]);

/** A minimal service that follows the document, implemented without the mock. */
export function plainService(deviation: Deviation = (correct) => correct): Promise<PlainServer> {
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
    const request = { operation, body, team, group, newToken } as const;
    try {
      const { status, body: sent } = deviation(correctResponse(req, request, groups), request);
      res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(sent));
    } catch (error) {
      // Without this, verify would wait for its timeout.
      res.destroy();
      throw error;
    }
  });
}

const failed: PlainResponse = { status: 400, body: { success: 0 } };

function correctResponse(req: IncomingMessage, request: PlainRequest, groups: Group[]): PlainResponse {
  if (request.team === undefined || req.url !== "/api/user") return failed;
  return performers[request.operation]({ ...request, team: request.team }, groups);
}

type Perform = (request: PlainRequest & { readonly team: number }, groups: Group[]) => PlainResponse;

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
