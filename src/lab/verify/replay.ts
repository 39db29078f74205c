import { isDeepStrictEqual } from "node:util";
import { startServer } from "../../client/start-server.js";
import { fixedChoices } from "../../fake/contract/fixed-choices.js";
import { responseNames, successOf } from "../../fake/contract/response-names.js";
import { shorten } from "../../foundation/printable.js";
import type { Profile } from "../../generated/types.js";
import { resolveOptions } from "../../options/resolve-options.js";
import type { Learned } from "./learn-profile.js";
import { isSameResponse, type Recorded, readResponse, sendRequest, sentFields } from "./recorded.js";
import { type ServiceClient, usualPatience } from "./service-client.js";

type Played = Awaited<ReturnType<typeof play>>;

/** The requests of the run with the responses of a mock, in which its tokens are those of the service, by order. */
export async function play(service: ServiceClient, profile: Profile) {
  const options = { profile, fixtures: { teams: teamsIn(service) }, log: "silent" };
  const mock = await startServer(await resolveOptions([{ place: "replay", options }], "embedded"));
  const issued: unknown[] = service.transcript.map(({ response }) => response.group.token ?? "none");
  /** The tokens of the mock, by those of the service. */
  const tokens = new Map<unknown, string>();
  const respond = async ({ request, response }: Recorded) => {
    const fields = sentFields(request);
    const current_token = tokens.get(fields.current_token);
    const issuer = issued.indexOf(fields.current_token);
    // The mock never issued this token.
    if (current_token === undefined && issuer >= 0)
      return readResponse({ status: 0, headers: {}, text: `follows from #${issuer + 1}` });
    const text = current_token ? JSON.stringify({ ...fields, current_token }) : request.text;
    const mocked = await sendRequest(mock.url, { ...request, text }, usualPatience.timeoutMs);
    const [theirs, ours] = [response.group.token, mocked.group.token];
    const isNew = !tokens.has(theirs) && ![...tokens.values()].includes(`${ours}`);
    if (theirs !== undefined && ours !== undefined && isNew) tokens.set(theirs, `${ours}`);
    const back = [...tokens].reduce((all, [one, other]) => all.replaceAll(other, `${one}`), mocked.text);
    return readResponse({ ...mocked, text: back });
  };
  const played = [];
  try {
    for (const entry of service.transcript) played.push({ ...entry, mocked: await respond(entry) });
  } finally {
    await mock.stop();
  }
  return played;
}

/** The teams whose API tokens the service accepted. */
function teamsIn({ target, transcript }: ServiceClient) {
  const accepted = transcript.filter(({ response }) => response.isSuccess);
  return [...new Set([target.apiToken, target.secondApiToken])].flatMap((token, n) => {
    const first = accepted.find(({ request }) => request.headers.Authorization === `Token ${token}`);
    const team_id = first?.response.group.team_id;
    return first ? [{ team_id: Number.isInteger(team_id) ? team_id : n + 1, api_tokens: [token] }] : [];
  });
}

/** How the mock names its response to each request of the run: empty if a profile cannot have that of the service. */
export async function nameResponses(service: ServiceClient, assume: NonNullable<Profile["assume"]>) {
  const marked = Object.keys(responseNames).map((name) => [name, { headers: { "Response-Name": name } }]);
  const played = await play(service, { assume, responses: Object.fromEntries(marked) });
  return played.map(({ mocked, response: { status, isSuccess } }) => {
    const name = String(mocked.headers["response-name"] ?? "");
    const isOfKind = successOf(name) ? isSuccess && status < 300 : !isSuccess;
    return isOfKind && ![204, 205, 304].includes(status) ? name : "";
  });
}

/** Compares the responses of the service with those of a mock. */
export function compare(service: ServiceClient, played: Played, { contentOf }: Learned) {
  const bodyOf = (entry: Recorded, response = entry.response) => {
    const { isSuccess, fields, shown } = response;
    return isSuccess ? [fields.success, fields.new_user_group, shown] : contentOf({ ...entry, response });
  };
  /** Responses with the same status, content type, fields and types. */
  const same = played.filter(({ response, mocked }) => isSameResponse(response, mocked));
  /** Those of them with the same body, apart from fields that the document does not show. */
  const exact = same.filter((one) => isDeepStrictEqual(bodyOf(one), bodyOf(one, one.mocked)));
  const different = played.flatMap(({ probe, request, response, mocked }, i) => {
    if (isSameResponse(response, mocked)) return [];
    return {
      request: service.mask(`#${i + 1} ${request.method} ${request.path} ${request.text ?? ""}`),
      service: oneLine(service, response),
      mock: oneLine(service, mocked),
      /** What the mock does not let you change, if the probe is about it. */
      fixed: Object.entries(fixedChoices).find(([id]) => probe === `fixed: ${id}`)?.[1],
    };
  });
  return { same: same.length, exact: exact.length, of: played.length, different };
}

export function oneLine(service: ServiceClient, { status, type, text }: Partial<Recorded["response"]>) {
  return shorten(service.mask([status, type, text].filter(Boolean).join(" ")), 400);
}
