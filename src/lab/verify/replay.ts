import { fixedChoices } from "../../contract/fixed-choices.js";
import { responseNames } from "../../contract/response-names.js";
import { shorten } from "../../foundation/printable.js";
import type { Profile } from "../../generated/types.js";
import { resolveOptions } from "../../options/resolve-options.js";
import { startServer } from "../../server/start-server.js";
import type { Learner } from "./learn-profile.js";
import {
  isSameResponse,
  type ReceivedResponse,
  type Recorded,
  readResponse,
  sendRequest,
  sentFields,
} from "./recorded.js";
import { type ServiceClient, usualPatience } from "./service-client.js";

/** Compares the responses of the service with those of a mock. */
export function compare(service: ServiceClient, played: readonly Played[], learner: Learner) {
  const { transcript } = service;
  const compared = transcript.map((entry, i) => {
    const mocked = played[i];
    const isSame = mocked !== undefined && isSameResponse(entry.response, mocked);
    return {
      ...entry,
      mocked,
      number: i + 1,
      isSame,
      isExact: isSame && hasSameBody(entry, mocked, learner),
    };
  });
  const different = compared.filter(({ isSame }) => !isSame);
  const makerOf = (token: unknown) =>
    transcript.findIndex(({ response }) => response.group.token === token) + 1;
  return {
    /** Responses with the same status, content type, fields and types. */
    same: transcript.length - different.length,
    /** Those of them with the same body. */
    exact: compared.filter(({ isExact }) => isExact).length,
    of: transcript.length,
    different: different.map(({ number, probe, request, response, mocked }) => ({
      request: service.mask(`#${number} ${request.method} ${request.path} ${request.text ?? ""}`),
      service: responseText(service, response),
      mock: mocked
        ? responseText(service, mocked)
        : `follows from #${makerOf(sentFields(request).current_token)}`,
      /** What the mock does not let you change, if the probe is about it. */
      fixed: Object.entries(fixedChoices).find(([id]) => probe === `fixed: ${id}`)?.[1],
    })),
  };
}

/** How the mock names its response to each request of the run. */
export async function nameResponses(service: ServiceClient, assume: NonNullable<Profile["assume"]>) {
  const marked = Object.keys(responseNames).map((name) => [name, { headers: { "Response-Name": name } }]);
  const played = await play(service, { assume, responses: Object.fromEntries(marked) });
  return played.map((mocked) => mocked?.headers["response-name"]?.toString());
}

/** Undefined for a request with a token that the mock never issued. */
type Played = ReceivedResponse | undefined;

/**
 * The responses of a mock to the requests of the run, with the tokens of the service: those of the mock are others, but
 * appear in the same order.
 */
export async function play(service: ServiceClient, profile: Profile): Promise<Played[]> {
  const options = { profile, fixtures: { teams: teamsIn(service) }, log: "silent" };
  const mock = await startServer(await resolveOptions([{ place: "replay", options }], "embedded"));
  /** The tokens of the mock, by those of the service. */
  const tokens = new Map<unknown, unknown>();
  const played: Played[] = [];
  try {
    for (const { request, response } of service.transcript) {
      const fields = sentFields(request);
      const token = tokens.get(fields.current_token);
      if (tokens.has(fields.current_token) && token === undefined) {
        played.push(undefined);
        continue;
      }
      const text = token === undefined ? request.text : JSON.stringify({ ...fields, current_token: token });
      const mocked = await sendRequest(mock.url, { ...request, text }, usualPatience.timeoutMs);
      const isOld = [...tokens.values()].includes(mocked.group.token);
      if (response.group.token !== undefined && !tokens.has(response.group.token))
        tokens.set(response.group.token, isOld ? undefined : mocked.group.token);
      const back = [...tokens].reduce(
        (all, [theirs, ours]) => (ours === undefined ? all : all.replaceAll(`${ours}`, `${theirs}`)),
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
  return [...new Set([target.apiToken, target.secondApiToken])].flatMap((apiToken, n) => {
    const authorization = `Token ${apiToken}`;
    const accepted = transcript.find(
      ({ request, response }) => response.isSuccess && request.headers.Authorization === authorization,
    );
    const team_id = accepted?.response.group.team_id;
    return accepted ? [{ team_id: Number.isInteger(team_id) ? team_id : n + 1, api_tokens: [apiToken] }] : [];
  });
}

/** Apart from fields that the document does not show, and from what varies in rejections. */
function hasSameBody(entry: Recorded, mocked: ReceivedResponse, learner: Learner): boolean {
  const [one, other] = [entry, { ...entry, response: mocked }].map((recorded) => {
    const { isSuccess, fields, shown } = recorded.response;
    const { status, headers, ...content } = learner.rejection(recorded);
    return isSuccess ? JSON.stringify([fields.success, fields.new_user_group, shown]) : learner.key(content);
  });
  return one === other;
}

export function responseText(service: ServiceClient, { status, type, text }: ReceivedResponse): string {
  return [status, type, shorten(service.mask(text), 300)].filter(Boolean).join(" ");
}
