import type { LifecycleStep } from "./group-lifecycle.js";
import { hashOf } from "./route.js";

/** Of more steps than this, the middle is left out. */
const maxSteps = 24;
const firstSteps = 4;

interface LifecycleStepsProps {
  readonly steps: readonly LifecycleStep[];
  readonly epoch: number | undefined;
  /** The id of the open entry. */
  readonly entry?: number;
}

/** What happened to a group, with a link to the request of each step. */
export function LifecycleSteps({ steps, epoch, entry }: LifecycleStepsProps) {
  const isLong = steps.length > maxSteps;
  const shown = isLong ? [...steps.slice(0, firstSteps), ...steps.slice(firstSteps - maxSteps)] : steps;
  return (
    <ol class="lifecycle">
      {shown.map((step, i) => (
        <li key={`${step.entry} ${step.text}`} class={step.isGood ? undefined : "bad"}>
          {isLong && i === firstSteps && <span>{steps.length - maxSteps} steps left out </span>}
          {step.text}
          {step.entry !== undefined && (
            <>
              {" "}
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
