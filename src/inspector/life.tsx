import { kindOfRequest } from "../report/entry-facts.js";
import type { LifeStep } from "./group-life.js";
import { RequestLink } from "./shown-text.js";

interface LifeProps {
  /** Where the group comes from, if no request of the journal created it. */
  readonly origin?: string | undefined;
  /** Oldest first. */
  readonly steps: readonly LifeStep[];
}

/** What happened to a group, with a link to the request of each step. */
export function Life({ origin, steps }: LifeProps) {
  return (
    <ol class="life">
      {origin !== undefined && <li class="ok">{origin}</li>}
      {steps.map(({ text, entry }) => (
        <li key={entry.id} class={kindOfRequest(entry)}>
          {text} <RequestLink id={entry.id} />
        </li>
      ))}
    </ol>
  );
}
