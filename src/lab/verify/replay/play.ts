import { startServer } from "../../../client/start-server.js";
import type { Fixture, Profile } from "../../../generated/types.js";
import { resolveOptions } from "../../../options/resolve-options.js";
import type { GroupClient } from "../service/group-client.js";
import type { ReceivedResponse } from "../service/received-response.js";
import type { Recorded } from "../service/recorded.js";
import { usualPatience } from "../service/retries.js";
import { sendRequest } from "../service/send-request.js";
import { TokenPairs } from "./token-pairs.js";

/** A request of the run, with what a mock responded to it. */
export type Played<Entry extends Recorded = Recorded> = Entry & {
  /** With the tokens of the service. Undefined if the request needs a token for which the mock has none. */
  readonly mocked: ReceivedResponse | undefined;
};

/**
 * Sends requests of the run to a mock with a profile, and without groups.
 * @param all requests of the run, which show the teams that the service has
 */
export async function play<Entry extends Recorded>(
  client: GroupClient,
  entries: readonly Entry[],
  profile: Profile,
  all: readonly Recorded[] = entries,
): Promise<Played<Entry>[]> {
  const options = { profile, fixtures: { teams: teamsOf(client, all) }, log: "silent" };
  const mock = await startServer(await resolveOptions([{ place: "replay", options }], "embedded"));
  const tokens = new TokenPairs(entries, client.inventedTokens);
  try {
    const played: Played<Entry>[] = [];
    for (const entry of entries) played.push({ ...entry, mocked: await sendToMock(mock.url, entry, tokens) });
    return played;
  } finally {
    await mock.stop();
  }
}

async function sendToMock(
  url: string,
  entry: Recorded,
  tokens: TokenPairs,
): Promise<ReceivedResponse | undefined> {
  const request = tokens.requestToMock(entry.request);
  if (request === undefined) return undefined;
  const mocked = await sendRequest(url, request, { timeoutMs: usualPatience.timeoutMs });
  tokens.note(entry, mocked);
  return tokens.responseOfMock(mocked);
}

/** The teams whose API tokens the service accepted. */
function teamsOf(
  { target: { apiToken, secondApiToken }, creation }: GroupClient,
  entries: readonly Recorded[],
): NonNullable<Fixture["teams"]> {
  const own = { team_id: teamIdIn(creation) ?? 1, api_tokens: [apiToken] };
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
