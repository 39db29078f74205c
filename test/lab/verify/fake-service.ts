import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type JsonObject, parseJson } from "../../../src/foundation/json.js";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** Empty if the body is not an object. */
  readonly json: JsonObject;
}

export interface Response {
  readonly status: number;
  /** An object is sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Group {
  readonly team: string;
  readonly id: string;
  name: unknown;
  token: string;
}

/** How a service differs from an ordinary one. */
export interface Oddities {
  /** Instead of the service. True: it has responded itself. */
  readonly before?: (request: Request, res: ServerResponse) => Response | true | undefined;
  /** Instead of its response, when the request has had its effect. */
  readonly after?: (response: Response, request: Request) => Response;
  /** Groups of somebody else. */
  readonly others?: readonly string[];
  /** Which group a rotation without a valid token is about. */
  readonly rotatesWithout?: (request: Request) => boolean;
}

export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly requests: Request[];
  readonly groups: Group[];
}

const rejected = (status: number, error: string): Response => ({ status, body: { success: 0, error } });

/** A service of somebody: it knows two API tokens, and checks that ids and names are texts. */
export async function fakeService(oddities: Oddities = {}): Promise<FakeService> {
  const service = new Service(oddities);
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const json = parseJson(text);
    const { method = "", url: path = "", headers } = req;
    const request = { method, path, headers, text, json: isObject(json) ? json : {} };
    service.requests.push(request);
    const early = oddities.before?.(request, res);
    if (early === true) return;
    const response = early ?? service.respond(request);
    sendResponse(res, early === undefined ? (oddities.after?.(response, request) ?? response) : response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: service.requests,
    groups: service.groups,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function sendResponse(res: ServerResponse, { status, body, headers = {} }: Response): void {
  const isText = typeof body === "string";
  const type = isText ? "text/plain" : "application/json";
  res.writeHead(status, { "Content-Type": type, ...headers });
  res.end(isText ? body : JSON.stringify(body));
}

class Service {
  readonly requests: Request[] = [];
  readonly groups: Group[];
  readonly #oddities: Oddities;
  #tokens = 0;

  constructor(oddities: Oddities) {
    this.#oddities = oddities;
    this.groups = (oddities.others ?? []).map((id) => ({
      team: "one",
      id,
      name: id,
      token: this.#newToken(),
    }));
  }

  respond(request: Request): Response {
    const { method, path, headers, json, text } = request;
    const team = teams[String(headers.authorization)];
    if (path.split("?")[0] !== "/api/user") return rejected(404, "no such path");
    if (team === undefined) return rejected(401, "who are you?");
    if (!/^(GET|POST)$/.test(method)) return rejected(405, "not here");
    if (text !== "" && !isObject(parseJson(text))) return rejected(400, "not an object");
    return method === "GET" ? this.#getOrCreate(team, json) : this.#rotate(team, request);
  }

  #getOrCreate(team: string, { user_group_id: id, name }: JsonObject): Response {
    if (typeof id !== "string" || id === "") return rejected(422, "user_group_id must be a text");
    if (name !== undefined && (typeof name !== "string" || name === ""))
      return rejected(422, "name must be a text");
    const found = this.groups.find((group) => group.team === team && group.id === id);
    if (found === undefined && name === undefined) return rejected(422, "name is missing");
    const group = found ?? { team, id, name, token: this.#newToken() };
    if (found === undefined) this.groups.push(group);
    return {
      status: 200,
      body: { success: 1, new_user_group: found === undefined, user_group: show(group) },
    };
  }

  #rotate(team: string, request: Request): Response {
    const { current_token } = request.json;
    const own = this.groups.find((one) => one.team === team && one.token === current_token);
    const group = own ?? (this.#oddities.rotatesWithout?.(request) ? this.groups[0] : undefined);
    if (group === undefined) return rejected(404, "no such token");
    group.token = this.#newToken();
    return { status: 200, body: { success: 1, user_group: show(group) } };
  }

  #newToken(): string {
    this.#tokens++;
    return `token-${String(this.#tokens).padStart(40, "0")}`;
  }
}

const teams: Readonly<Record<string, string>> = {
  "Token test-api-token": "one",
  "Token other-api-token": "two",
};

const show = ({ team, id, name, token }: Group) => ({
  team_id: team === "one" ? 3 : 4,
  token,
  name,
  provided_id: id,
});
