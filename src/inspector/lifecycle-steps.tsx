import type { LifecycleStep } from "./group-lifecycle.js";
import { hashOf } from "./route.js";

interface LifecycleStepsProps {
  readonly steps: readonly LifecycleStep[];
  readonly epoch: number | undefined;
  /** The id of the open entry. */
  readonly entry?: number;
}

/** What happened to a group, with a link to the request of each step. */
export function LifecycleSteps({ steps, epoch, entry }: LifecycleStepsProps) {
  return (
    <ol class="lifecycle">
      {steps.map((step) => (
        <li key={`${step.entry} ${step.text}`} class={step.isGood ? undefined : "bad"}>
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
