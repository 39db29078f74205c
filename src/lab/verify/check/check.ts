import { startServer } from "../../../client/start-server.js";
import { hasSameShape } from "../../../foundation/json-shape.js";
import { printable, shorten } from "../../../foundation/printable.js";
import type { Fixture, KnownSituations } from "../../../generated/types.js";
import { resolveOptions } from "../../../options/resolve-options.js";
import { ForeignGroup, type VerifyRun } from "../ask/run.js";
import type { Secrets } from "../learn/secrets.js";
import {
  type Exchange,
  groupIn,
  isNewGroup,
  mediaType,
  type Received,
  type Sent,
  sentField,
  succeeded,
  wireBody,
} from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import { exchangeOnce, usualPatience } from "../service/service-client.js";
import { FurtherMaker } from "./further.js";

/** A request to which a mock with the profile responds in another way than the service. */
export interface MockDifference {
  readonly request: string;
  readonly service: string;
  readonly mock: string;
  /** `lenient`: it accepts what the service rejects, so tests could pass and production fail. */
  readonly mockIs: "lenient" | "strict" | "different";
}

/** How a mock with the profile responds to requests that nothing was learned from. */
export interface CheckResult {
  readonly same: number;
  readonly of: number;
  readonly different: readonly MockDifference[];
}

/** How many further requests there are. */
const furtherCount = 30;

/** Sends further requests to the service. They stop when their part of the budget ends. */
export async function askFurther(run: VerifyRun): Promise<Exchange[]> {
  const maker = new FurtherMaker(run);
  const asked: Exchange[] = [];
  // Not every one that is drawn can be made: it may need a group that was rotated twice.
  for (let n = 0; n < 2 * furtherCount && asked.length < furtherCount; n++) {
    const make = maker.request(n);
    const exchange = await askOne(run, () => make(maker));
    if (exchange === undefined) continue;
    asked.push(exchange);
    if (!isNewGroup(exchange.received)) continue;
    const group = run.groups.note(exchange);
    if (group !== undefined) maker.groups.push(group);
  }
  return asked;
}

async function askOne(run: VerifyRun, make: () => Sent): Promise<Exchange | undefined> {
  try {
    return await run.sendPlain(make);
  } catch (error) {
    if (error instanceof ForeignGroup) return error.exchange;
    if (error instanceof NotAsked) return undefined;
    throw error;
  }
}

/** Sends the same to a mock with the profile. */
export async function compareWithMock(
  run: VerifyRun,
  asked: readonly Exchange[],
  situations: KnownSituations,
  secrets: Secrets,
): Promise<CheckResult> {
  const options = { profile: { situations }, fixtures: { teams: teamsOf(run) }, log: "silent" };
  const mock = await startServer(await resolveOptions([{ place: "verify", options }], "embedded"));
  const tokens = new TokenPairs();
  const apart = new Set<unknown>();
  const different: MockDifference[] = [];
  let compared = 0;
  try {
    for (const exchange of asked) {
      if (namesOf(exchange.sent).some((name) => apart.has(name))) continue;
      compared++;
      const received = await exchangeOnce(mock.url, tokens.toMock(exchange.sent), usualPatience.timeoutMs);
      tokens.note(exchange.received, received);
      if (isSameResponse(exchange.received, received)) continue;
      different.push(describe(exchange, received, secrets));
      // From now on the group is another one on each side: each further difference would be counted again.
      if (judgeMock(exchange.received, received) !== "different") {
        const { provided_id, token } = groupIn(exchange.received);
        for (const name of [...namesOf(exchange.sent), provided_id, token]) apart.add(name);
      }
    }
  } finally {
    await mock.stop();
  }
  return { same: compared - different.length, of: compared, different };
}

/** What names the group of a request. */
function namesOf(sent: Sent): unknown[] {
  const names = [sentField(sent, "user_group_id"), sentField(sent, "current_token")];
  return names.filter((name) => name !== undefined);
}

/** Status, media type, fields and types are the same. An empty text needs no type. */
function isSameResponse(service: Received, mock: Received): boolean {
  const isSameType = mediaType(service) === mediaType(mock) || service.text === "" || mock.text === "";
  const isSameOutcome = succeeded(service) === succeeded(mock) && service.status === mock.status;
  return isSameOutcome && isSameType && hasSameShape(service.json, mock.json);
}

function describe({ sent, received }: Exchange, mock: Received, secrets: Secrets): MockDifference {
  const mockIs = judgeMock(received, mock);
  const body = secrets.hide(sent.body);
  const text = wireBody({ ...sent, body }) ?? "without a body";
  return {
    request: printable(shorten(`${sent.method} ${sent.path} ${text}`, 400)),
    service: describeResponse(received, secrets),
    mock: describeResponse(mock, secrets),
    mockIs,
  };
}

function judgeMock(service: Received, mock: Received): MockDifference["mockIs"] {
  if (succeeded(service) === succeeded(mock)) return "different";
  return succeeded(mock) ? "lenient" : "strict";
}

function describeResponse({ status, json, text }: Received, secrets: Secrets): string {
  const shown = json === undefined ? secrets.hideText(text) : JSON.stringify(secrets.hide(json));
  return printable(shorten(`${status} ${shown}`.trimEnd(), 300));
}

/** The tokens of the mock that stand for those of the service. */
class TokenPairs {
  readonly #ofMock = new Map<unknown, unknown>();

  note(service: Received, mock: Received): void {
    const [theirs, ours] = [groupIn(service).token, groupIn(mock).token];
    if (theirs !== undefined && ours !== undefined && !this.#ofMock.has(theirs))
      this.#ofMock.set(theirs, ours);
  }

  toMock(sent: Sent): Sent {
    const ours = this.#ofMock.get(sentField(sent, "current_token"));
    return ours === undefined ? sent : { ...sent, body: { ...Object(sent.body), current_token: ours } };
  }
}

/** The teams whose API tokens the service accepted. */
function teamsOf({ target: { apiToken, secondApiToken }, client }: VerifyRun): NonNullable<Fixture["teams"]> {
  const teamOf = (token: string | undefined): number | undefined => {
    const created = client.exchanges.find(
      ({ sent, received }) => sent.headers.Authorization === `Token ${token}` && isNewGroup(received),
    );
    const id = created && groupIn(created.received).team_id;
    return typeof id === "number" && Number.isSafeInteger(id) ? id : undefined;
  };
  const own = teamOf(apiToken) ?? 1;
  if (secondApiToken === undefined) return [{ team_id: own, api_tokens: [apiToken] }];
  const second = teamOf(secondApiToken) ?? own + 1;
  if (second === own) return [{ team_id: own, api_tokens: [apiToken, secondApiToken] }];
  return [
    { team_id: own, api_tokens: [apiToken] },
    { team_id: second, api_tokens: [secondApiToken] },
  ];
}
