import { fixedChoices } from "../../contract/fixed-choices.js";
import { shownSchemas } from "../../contract/group-fields.js";
import { responseNames } from "../../contract/response-names.js";
import type { Profile } from "../../generated/types.js";
import { resolveOptions } from "../../options/resolve-options.js";
import { startServer } from "../../server/start-server.js";
import type { Learner } from "./learn-profile.js";
import {
  bareType,
  isSameResponse,
  type ReceivedResponse,
  type Recorded,
  readResponse,
  sendRequest,
  sentFields,
} from "./recorded.js";
import { type ServiceClient, usualPatience } from "./service-client.js";

/** Sends the requests of the run to a mock with the profile, and compares the responses. */
export async function replay(service: ServiceClient, profile: Profile, learner: Learner) {
  const { transcript } = service;
  const played = await play(service, profile);
  const compared = transcript.map((entry, i) => {
    const mocked = played[i];
    const isSame = typeof mocked === "object" && isSameResponse(entry.response, mocked);
    return { entry, mocked, isSame, isExact: isSame && hasSameBody(entry, mocked, learner) };
  });
  const different = compared.filter(({ isSame }) => !isSame);
  return {
    /** Responses with the same status, content type, fields and types. */
    same: transcript.length - different.length,
    /** Those of them with the same body. */
    exact: compared.filter(({ isExact }) => isExact).length,
    of: transcript.length,
    different: different.map(({ entry: { number, probe, request, response }, mocked }) => ({
      request: service.mask(`#${number} ${request.method} ${request.path} ${request.text ?? ""}`),
      service: responseText(service, response),
      mock: typeof mocked === "object" ? responseText(service, mocked) : `follows from #${mocked}`,
      /** What the mock does not let you change, if the probe is about it. */
      fixed: Object.entries(fixedChoices).find(([id]) => probe === `fixed: ${id}`)?.[1],
    })),
  };
}

/** How the mock names its response to each request of the run. */
export async function nameResponses(
  service: ServiceClient,
  assume: NonNullable<Profile["assume"]>,
): Promise<(string | undefined)[]> {
  const marked = Object.keys(responseNames).map((name) => [name, { headers: { "Response-Name": name } }]);
  const played = await play(service, { assume, responses: Object.fromEntries(marked) });
  return played.map((mocked) =>
    typeof mocked === "object" ? mocked.headers["response-name"]?.toString() : undefined,
  );
}

/**
 * The responses of a mock to the requests of the run, with the tokens of the service: those of the mock are others, but
 * appear in the same order. A number is that of the request which made a token that the mock never issued.
 */
async function play(service: ServiceClient, profile: Profile): Promise<(ReceivedResponse | number)[]> {
  const options = { profile, fixtures: { teams: teamsIn(service) }, log: "silent" };
  const mock = await startServer(await resolveOptions([{ place: "replay", options }], "embedded"));
  /** The requests that made the tokens of the service, and the tokens of the mock. */
  const made = new Map<unknown, { readonly by: number; readonly token: unknown }>();
  const played: (ReceivedResponse | number)[] = [];
  try {
    for (const { number, request, response } of service.transcript) {
      const { current_token } = sentFields(request);
      const { by, token } = made.get(current_token) ?? {};
      if (by !== undefined && token === undefined) {
        played.push(by);
        continue;
      }
      const text = by && request.text?.replace(JSON.stringify(current_token), JSON.stringify(token));
      const sent = { ...request, ...(text && { text }) };
      const mocked = await sendRequest(mock.url, sent, usualPatience.timeoutMs);
      const isKnown = [...made.values()].some((one) => one.token === mocked.group.token);
      if (response.group.token !== undefined && !made.has(response.group.token))
        made.set(response.group.token, { by: number, token: isKnown ? undefined : mocked.group.token });
      const back = [...made].reduce(
        (all, [issued, { token }]) => (token === undefined ? all : all.replaceAll(`${token}`, `${issued}`)),
        mocked.text,
      );
      played.push(readResponse({ ...mocked, text: back }));
    }
  } finally {
    await mock.stop();
  }
  return played;
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

/** Apart from fields that the document does not show, and from what varies in rejections. */
function hasSameBody(entry: Recorded, mocked: ReceivedResponse, learner: Learner): boolean {
  const [one, other] = [entry, { ...entry, response: mocked }].map((recorded) => {
    const { isSuccess, fields, group } = recorded.response;
    const { status, headers, ...content } = learner.rejection(recorded);
    if (!isSuccess) return learner.key(content);
    const shown = Object.keys(shownSchemas).map((name) => group[name]);
    return JSON.stringify([fields.success, fields.new_user_group, shown]);
  });
  return one === other;
}

function responseText(service: ServiceClient, { status, headers, text }: ReceivedResponse): string {
  const shown = service.mask(text);
  const cut = shown.length > 300 ? `${shown.slice(0, 300)}…` : shown;
  return [status, bareType(headers["content-type"]), cut].filter(Boolean).join(" ");
}
