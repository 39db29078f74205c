import { shownSchemas } from "../../contract/group-fields.js";
import { operations } from "../../contract/operations.js";
import { isObject, type JsonObject, parseJson } from "../../foundation/json.js";
import { hasSameShape, isEqualExcept } from "../../foundation/json-shape.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Profile } from "../../generated/types.js";
import { resolveOptions } from "../../options/resolve-options.js";
import { startServer } from "../../server/start-server.js";
import { sentFields } from "./examples.js";
import type { Learned } from "./learn-profile.js";
import {
  bareType,
  isLikeExample,
  isSameResponse,
  type ReceivedResponse,
  type Recorded,
  sendRequest,
} from "./recorded.js";
import { type ServiceClient, usualPatience } from "./service-client.js";

/** How a mock with the profile responds to the requests of the run. */
export interface Replay {
  /** Responses with the same status, content type, fields and types. */
  readonly same: number;
  /** Those of them with the same body. */
  readonly exact: number;
  readonly of: number;
  readonly different: readonly {
    readonly request: string;
    readonly service: string;
    readonly mock: string;
  }[];
}

/** Sends the requests of the run to a mock with the profile, and compares the responses. */
export async function replay(service: ServiceClient, profile: Profile, learned: Learned): Promise<Replay> {
  const { transcript } = service;
  const options = { profile, fixtures: { teams: teamsIn(service) }, log: "silent" };
  const mock = await startServer(await resolveOptions([{ place: "replay", options }], "embedded"));
  const tokens = new Tokens();
  const different: Replay["different"][number][] = [];
  let exact = 0;
  try {
    for (const entry of transcript) {
      const { number, request, response } = entry;
      const differs = (mock: string) => {
        const text = service.mask(`#${number} ${request.method} ${request.path} ${request.text ?? ""}`);
        different.push({ request: text, service: responseText(service, response), mock });
      };
      const madeBy = tokens.unknownIn(sentFields(request));
      if (madeBy !== undefined) {
        differs(`follows from #${madeBy}`);
        continue;
      }
      const sent = { ...request, text: tokens.translate(request.text) };
      const mocked = await sendRequest(mock.url, sent, usualPatience.timeoutMs);
      const isSameToken = tokens.add(number, response.group.token, mocked.group.token);
      if (!isSameResponse(response, mocked)) differs(responseText(service, mocked));
      else if (isSameToken && hasSameBody(entry, tokens.translateBack(mocked.text), learned)) exact++;
    }
  } finally {
    await mock.stop();
  }
  const same = transcript.length - different.length;
  return { same, exact, of: transcript.length, different };
}

/** The teams whose API tokens the service accepted. */
function teamsIn({ target, transcript }: ServiceClient) {
  const teams = new Map<number, string[]>();
  for (const apiToken of [target.apiToken, target.secondApiToken]) {
    const found = transcript.find(
      ({ request, response }) => request.headers.Authorization === `Token ${apiToken}` && response.isSuccess,
    );
    const { team_id } = found?.response.group ?? {};
    const team = Number.isInteger(team_id) ? Number(team_id) : teams.size + 1;
    if (found && apiToken !== undefined) teams.set(team, [...(teams.get(team) ?? []), apiToken]);
  }
  return [...teams].map(([team_id, api_tokens]) => ({ team_id, api_tokens }));
}

/** The tokens of the service and those of the mock, by the order in which they appear. */
class Tokens {
  readonly #mocked = new Map<unknown, string>();
  /** The request whose response had a token first. */
  readonly #firstIn = new Map<unknown, number>();

  /** Returns whether both tokens are the same one. */
  add(number: number, token: unknown, mocked: unknown): boolean {
    if (token === undefined) return mocked === undefined;
    if (!this.#firstIn.has(token)) {
      this.#firstIn.set(token, number);
      const isNew = ![...this.#mocked.values()].some((known) => known === mocked);
      if (isNew && typeof mocked === "string") this.#mocked.set(token, mocked);
    }
    return this.#mocked.get(token) === mocked;
  }

  /** The request that made a token which the mock never issued. */
  unknownIn({ current_token }: JsonObject): number | undefined {
    return this.#mocked.has(current_token) ? undefined : this.#firstIn.get(current_token);
  }

  /** A body for the mock. */
  translate(text: string | undefined): string | undefined {
    const body = parseJson(text ?? "");
    const token = isObject(body) ? this.#mocked.get(body.current_token) : undefined;
    return token === undefined ? text : JSON.stringify({ ...Object(body), current_token: token });
  }

  /** A response of the mock with the tokens of the service. */
  translateBack(text: string): string {
    return [...this.#mocked].reduce(
      (all, [token, mocked]) => all.replaceAll(mocked, typeof token === "string" ? token : mocked),
      text,
    );
  }
}

/** Apart from fields that the document does not show, and from what varies in rejections. */
function hasSameBody({ request, response }: Recorded, mocked: string, { varies }: Learned): boolean {
  const { json, text, isSuccess } = response;
  if (json === undefined) return varies("text") ? isLikeExample(text, mocked) : text === mocked;
  if (!isSuccess) return isEqualExcept(json, parseJson(mocked), varies, isLikeExample);
  const operation = request.method === operations.rotate.method ? "rotate" : "get-or-create";
  const { properties } = shippedSchemas[operations[operation].response];
  const isShown = (path: string) => {
    const [, field = "", inGroup = "token"] = path.split("/");
    return Object.hasOwn(properties, field) && Object.hasOwn(shownSchemas, inGroup);
  };
  const isAdded = (path: string) => path !== "" && !isShown(path);
  return isEqualExcept(json, parseJson(mocked), isAdded, hasSameShape);
}

function responseText(service: ServiceClient, { status, headers, text }: ReceivedResponse): string {
  const shown = service.mask(text);
  const cut = shown.length > 300 ? `${shown.slice(0, 300)}…` : shown;
  return [status, bareType(headers["content-type"]), cut].filter(Boolean).join(" ");
}
