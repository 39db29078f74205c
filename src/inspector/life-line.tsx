import type { LifeStep } from "./life-of-group.js";
import { hashOf } from "./route.js";

/** More steps than fit: the middle is left out. */
const maxSteps = 24;
const firstSteps = 4;

interface LifeLineProps {
  readonly steps: readonly LifeStep[];
  readonly epoch: number | undefined;
  /** The call that is open. */
  readonly entry?: number;
}

/** What happened to a group, step by step; each leads to its call. */
export function LifeLine({ steps, epoch, entry }: LifeLineProps) {
  const isLong = steps.length > maxSteps;
  const shown = isLong ? [...steps.slice(0, firstSteps), ...steps.slice(firstSteps - maxSteps)] : steps;
  return (
    <ol class="life">
      {shown.map((step, i) => (
        <li key={`${step.entry} ${step.words}`} class={step.isGood ? undefined : "bad"}>
          {isLong && i === firstSteps && <span>{steps.length - maxSteps} steps left out </span>}
          {step.entry === undefined ? (
            step.words
          ) : (
            <>
              {step.words}{" "}
              <a
                href={hashOf({ epoch, entry: step.entry })}
                aria-current={step.entry === entry ? "true" : undefined}
              >
                #{step.entry}
              </a>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
