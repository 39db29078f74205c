import type { Profile } from "../../../generated/types.js";
import { type Named, nameResponses } from "../replay/name-responses.js";
import type { GroupClient } from "../service/group-client.js";
import type { Recorded } from "../service/recorded.js";
import { example } from "../text/secrets.js";
import type { Findings, WrittenProfile } from "../verify-findings.js";
import { isBodyRule } from "./body-assumptions.js";
import type { Clean } from "./clean.js";
import type { AssumptionFinding } from "./conclude-assumptions.js";
import { type Learned, learnResponses, writeResponses } from "./learn-responses.js";
import { writeAccepts } from "./write-accepts.js";

interface ProfileOfRun {
  readonly profile: WrittenProfile;
  readonly responses: Learned;
  /** The requests of the run, with the names of their responses. */
  readonly entries: readonly Named[];
}

/** Makes a profile from the requests of a run, and from what was concluded from them. */
export async function learnProfile(
  client: GroupClient,
  entries: readonly Recorded[],
  { rules, facts, assumptions }: Findings,
): Promise<ProfileOfRun> {
  const accepts = writeAccepts(rules);
  const assume = writeAssumptions(assumptions);
  const named = await nameResponses(client, entries, { accepts, assume });
  const responses = learnResponses(named, cleanFor(client));
  const broken = facts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);
  const profile: WrittenProfile = {
    $schema: "./node_modules/usergroup-mock/schemas/profile.json",
    verified: {
      against: client.target.baseUrl,
      on: new Date().toISOString().slice(0, 10),
      ...(broken.length > 0 && { broken }),
    },
    accepts,
    assume,
    responses: writeResponses(responses.responses),
  };
  return { profile, responses, entries: named };
}

/** Takes the ids and names of a run out of a text, and what may be a secret. */
export function cleanFor({ secrets, groups }: GroupClient): Clean {
  return (text) => secrets.hide(groups.withoutOwn(text, example));
}

/** The values that a profile has. Rules for bodies are in `accepts`. */
function writeAssumptions(findings: readonly AssumptionFinding[]): NonNullable<Profile["assume"]> {
  const found = findings.filter(({ value, id }) => value !== null && !isBodyRule(id));
  return Object.fromEntries(found.map(({ id, value }) => [id, value]));
}
