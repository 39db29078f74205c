import { readProfiles } from "../../client/read-files.js";
import {
  type AssumptionId,
  assumptionIds,
  assumptionOf,
  isResponseOption,
  outcomesOf,
  valuesOf,
} from "../../fake/contract/assumptions.js";
import { knownService } from "../../fake/contract/profile.js";
import { isSituation } from "../../fake/contract/situations.js";
import { Behaviour } from "../../fake/service/behaviour.js";
import type { Settings } from "../../options/resolve-options.js";
import { type Change, checkOnly } from "./changes.js";

/** A value that an assumption does not have. */
export interface OtherValue extends Change {
  /** The profile has every situation in which it would make a difference, so there is nothing to try. */
  readonly isKnown: boolean;
}

/** Every other value of every assumption, or of those that `--only` names: ids and id=value pairs. */
export async function assumptionValues(
  { profile, assume }: Pick<Settings, "profile" | "assume">,
  only: readonly string[],
): Promise<OtherValue[]> {
  const profiles = await readProfiles(profile);
  const known = knownService(profiles.map((source) => source.profile));
  const behaviour = Behaviour.from(known).with(assume, "set");
  const all = assumptionIds.flatMap((of) =>
    valuesOf(of)
      .filter((to) => to !== behaviour.valueOf(of))
      .map((to) => ({ name: `${of}=${to}`, of, to, isKnown: isKnown(of, to, behaviour) })),
  );
  checkOnly(only, "assumption or alternative value", [...assumptionIds, ...all.map(({ name }) => name)]);
  return all.filter(({ of, name }) => only.length === 0 || only.includes(of) || only.includes(name));
}

function isKnown(of: AssumptionId, to: string, behaviour: Behaviour): boolean {
  if (isResponseOption(of)) return behaviour.option(of).source === "profile";
  const changed = [...outcomesOf(of, to)].filter(([id, outcome]) => outcome !== behaviour.outcome(id));
  return changed.every(([id]) => behaviour.source(id) === "profile");
}

/** The assumptions that decided responses. While a profile has some situations of one, the others decide themselves. */
export function assumptionsIn(decided: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...decided].map((id) => (isSituation(id) ? (assumptionOf.get(id) ?? id) : id)));
}
