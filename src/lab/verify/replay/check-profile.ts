import type { Profile } from "../../../generated/types.js";
import type { FurtherRequest } from "../further/further-requests.js";
import { cleanFor } from "../learn/learn-profile.js";
import type { Learned } from "../learn/learn-responses.js";
import { textWithoutBraces } from "../learn/placeholders.js";
import type { GroupClient } from "../service/group-client.js";
import type { Recorded } from "../service/recorded.js";
import type { LearnedProfile } from "../verify-findings.js";
import { compareResponses } from "./compare.js";
import { play } from "./play.js";

interface RequestsOfRun {
  /** From which the profile was learned. */
  readonly entries: readonly Recorded[];
  readonly further: readonly FurtherRequest[];
}

/** Compares the service with a mock that has the profile, for further requests and for those of which it was learned. */
export async function checkProfile(
  client: GroupClient,
  { profile, responses }: { readonly profile: Profile; readonly responses: Learned },
  { entries, further }: RequestsOfRun,
): Promise<Pick<LearnedProfile, "further" | "replay">> {
  const cleanAsLearned = cleanFor(client);
  const options = {
    secrets: client.secrets,
    // {name} is a placeholder in a profile, so learning has written "example" for such a word of the service
    // (`learn/placeholders.ts`). It is not compared either.
    clean: (text: string) => cleanAsLearned(textWithoutBraces(text)),
    examplePaths: responses.examplePaths,
  };
  const played = await play(client, further, profile, entries);
  const requests = played.map((one) => {
    const { same, exact } = compareResponses([one], options);
    return { title: one.question, kind: one.kind, same: same === 1, exact: exact === 1 };
  });
  const replayed = await play(client, entries, profile);
  return {
    further: { ...compareResponses(played, options), requests },
    replay: compareResponses(replayed, options),
  };
}
