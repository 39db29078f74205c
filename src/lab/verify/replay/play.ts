import { startServer } from "../../../client/start-server.js";
import { responseNames, successOf } from "../../../fake/contract/response-names.js";
import type { Accepts, Fixture, Profile } from "../../../generated/types.js";
import { resolveOptions } from "../../../options/resolve-options.js";
import {
  type ReceivedResponse,
  type Recorded,
  readResponse,
  sendRequest,
  sentFields,
} from "../service/recorded.js";
import { usualPatience } from "../service/retries.js";
import type { ServiceClient, Target } from "../service/service-client.js";

/** A request of the run, with what a mock responded to it. */
export type Played<Entry extends Recorded = Recorded> = Entry & {
  /** With the tokens of the service. Undefined if the request needs a token that the mock has not issued. */
  readonly mocked: ReceivedResponse | undefined;
};

/**
 * Sends requests of the run to a mock with a profile.
 * @param all requests of the run, which show the teams that the service has
 */
export async function play<Entry extends Recorded>(
  { target, first, inventedTokens }: ServiceClient,
  entries: readonly Entry[],
  profile: Profile,
  all: readonly Recorded[] = entries,
): Promise<Played<Entry>[]> {
  const options = { profile, fixtures: { teams: teamsOf(target, first, all) }, log: "silent" };
  const mock = await startServer(await resolveOptions([{ place: "replay", options }], "embedded"));
  const tokens = new TokenPairs(entries, inventedTokens);
  try {
    const played: Played<Entry>[] = [];
    for (const entry of entries) played.push({ ...entry, mocked: await respond(mock.url, entry, tokens) });
    return played;
  } finally {
    await mock.stop();
  }
}

async function respond(
  url: string,
  { request, response }: Recorded,
  tokens: TokenPairs,
): Promise<ReceivedResponse | undefined> {
  const fields = sentFields(request);
  let { text } = request;
  if (typeof fields.current_token === "string" && tokens.isKnown(fields.current_token)) {
    const current_token = tokens.ofMock(fields.current_token);
    if (current_token === undefined) return undefined;
    text = JSON.stringify({ ...fields, current_token });
  }
  const mocked = await sendRequest(url, { ...request, text }, usualPatience);
  tokens.pairFirst(response.group.token, mocked.group.token);
  // A rotation may be missing here: its response was lost.
  if (fields.current_token === undefined && !tokens.hasMock(response.group.token))
    tokens.pairLatest(response.group.token, mocked.group.token);
  // If only one of them has rotated the token, the group goes on with what it has.
  if (mocked.isSuccess && !response.isSuccess) tokens.pairLatest(fields.current_token, mocked.group.token);
  if (response.isSuccess && !mocked.isSuccess) tokens.alsoMeans(response.group.token, fields.current_token);
  return readResponse({ ...mocked, text: tokens.inTextOfMock(mocked.text) });
}

/** The tokens of a service with those that a mock issued in their place. */
class TokenPairs {
  readonly #ofMock = new Map<string, string>();
  readonly #ofService = new Map<string, string>();
  readonly #issued = new Set<unknown>();

  /** @param invented tokens that the service never issued: the mock gets one of its own form */
  constructor(entries: readonly Recorded[], invented: ReadonlySet<string>) {
    for (const { response } of entries) this.#issued.add(response.group.token);
    let n = 0;
    for (const token of invented) this.pairFirst(token, String(++n).padStart(64, "0"));
  }

  isKnown(token: string): boolean {
    return this.#issued.has(token) || this.#ofMock.has(token);
  }

  hasMock(token: unknown): boolean {
    return this.#ofMock.has(String(token));
  }

  ofMock(token: string): string | undefined {
    return this.#ofMock.get(token);
  }

  /** The first pair of a token stays: a later response may show another one. */
  pairFirst(theirs: unknown, ours: unknown): void {
    if (typeof theirs !== "string" || typeof ours !== "string") return;
    if (this.#ofMock.has(theirs) || this.#ofService.has(ours)) return;
    this.#ofMock.set(theirs, ours);
    this.#ofService.set(ours, theirs);
  }

  /** The group of this token has another one in the mock: the mock has rotated it, or a rotation of the service was lost. */
  pairLatest(theirs: unknown, ours: unknown): void {
    if (typeof theirs !== "string" || typeof ours !== "string" || !this.#issued.has(theirs)) return;
    this.#ofMock.set(theirs, ours);
    this.#ofService.set(ours, theirs);
  }

  /** The service has rotated the token of a group, and the mock has not: both tokens mean that of the mock. */
  alsoMeans(theirs: unknown, former: unknown): void {
    const ours = this.#ofMock.get(String(former));
    if (typeof theirs === "string" && ours !== undefined) this.#ofMock.set(theirs, ours);
  }

  /** A text of the mock with the tokens of the service, as they stand in JSON. */
  inTextOfMock(text: string): string {
    return text.replace(/\b[\da-f]{64}\b/g, (token) => {
      const theirs = this.#ofService.get(token);
      return theirs === undefined ? token : JSON.stringify(theirs).slice(1, -1);
    });
  }
}

/** The teams whose API tokens the service accepted. */
function teamsOf(
  { apiToken, secondApiToken }: Target,
  first: Recorded | undefined,
  entries: readonly Recorded[],
): NonNullable<Fixture["teams"]> {
  const own = { team_id: teamIdIn(first) ?? 1, api_tokens: [apiToken] };
  const second = entries.find(({ request, response }) => {
    return response.isSuccess && request.headers.Authorization === `Token ${secondApiToken}`;
  });
  if (second === undefined || secondApiToken === undefined || secondApiToken === apiToken) return [own];
  const team_id = teamIdIn(second) ?? own.team_id + 1;
  if (team_id === own.team_id) return [{ team_id, api_tokens: [apiToken, secondApiToken] }];
  return [own, { team_id, api_tokens: [secondApiToken] }];
}

function teamIdIn(entry: Recorded | undefined): number | undefined {
  const team_id = entry?.response.group.team_id;
  return Number.isSafeInteger(team_id) ? Number(team_id) : undefined;
}

/** A request of the run, with the name of the response that the mock would send. */
export interface Named extends Recorded {
  /** Empty if the mock decides otherwise than the service, or no profile can have such a response. */
  readonly name: string;
  /** For `invalid_body`: the field that is wrong, or the key in it. */
  readonly wrongField: string | undefined;
  /** The headers that the mock sends with this name, without a profile. */
  readonly ours: ReceivedResponse["headers"] | undefined;
}

/** Finds the name of each response: a mock with the same rules and values names them. */
export async function nameResponses(
  client: ServiceClient,
  entries: readonly Recorded[],
  known: { readonly accepts: Accepts; readonly assume: NonNullable<Profile["assume"]> },
): Promise<Named[]> {
  const marked = Object.keys(responseNames).map((name) => {
    const body = successOf(name) ? undefined : { wrongField: "{field}" };
    return [name, { headers: { "Response-Name": name }, ...(body && { body }) }];
  });
  const played = await play(client, entries, { ...known, responses: Object.fromEntries(marked) });
  return played.map(({ mocked, ...entry }) => {
    const name = String(mocked?.headers["response-name"] ?? "");
    const wrongField = mocked?.fields.wrongField;
    return {
      ...entry,
      name: canHave(name, entry.response) ? name : "",
      wrongField: typeof wrongField === "string" ? wrongField : undefined,
      ours: mocked?.headers,
    };
  });
}

/** Whether a profile can have the response of the service under this name. */
function canHave(name: string, { isSuccess, status, fields }: ReceivedResponse): boolean {
  if (name === "" || [204, 205, 304].includes(status)) return false;
  if (successOf(name) === undefined) return !isSuccess;
  if (!isSuccess || status > 299) return false;
  // The mock may have created a group where the service has found one, or the reverse.
  if (name === "created") return fields.new_user_group !== false;
  return name !== "found" || fields.new_user_group !== true;
}
