import type { OneFault } from "../contract/fault-request.js";
import type { Operation } from "../contract/types.js";
import { operationWords } from "./operation-words.js";

/** The values of the form fields. */
export interface FaultFields {
  readonly choice: string;
  readonly operation: "" | Operation;
  readonly group: string;
  readonly times: string;
  readonly status: string;
  readonly delayMs: string;
}

export interface FaultChoice {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** An additional form field. */
  readonly field?: "status" | "delayMs";
  readonly effect: (form: FaultFields) => OneFault;
}

/** The most common faults in tests. */
export const faultChoices: readonly FaultChoice[] = [
  {
    id: "status",
    title: "The service is down",
    description: "The call fails with this status; the world does not change.",
    field: "status",
    effect: ({ status }) => ({ status: Number(status) }),
  },
  {
    id: "slow",
    title: "Slow",
    description: "The call is processed after a delay.",
    field: "delayMs",
    effect: ({ delayMs }) => ({ delayMs: Number(delayMs) }),
  },
  {
    id: "lost",
    title: "Lost rotation",
    description: "The token is rotated, but the answer with the new token is lost.",
    effect: () => ({ operation: "rotate", phase: "after", reset: true }),
  },
  {
    id: "reset",
    title: "Connection reset",
    description: "The connection is reset; the world does not change.",
    effect: () => ({ reset: true }),
  },
  {
    id: "hold",
    title: "Hold",
    description: "The call waits until you release it.",
    effect: () => ({ hold: true }),
  },
];

export const initialForm: FaultFields = {
  choice: "status",
  operation: "",
  group: "",
  times: "1",
  status: "503",
  delayMs: "2000",
};

export function choiceOf(form: FaultFields): FaultChoice | undefined {
  return faultChoices.find(({ id }) => id === form.choice);
}

/** Whether the calls that a fault meets have a user_group_id to match. */
export function namesGroup(operation: Operation | undefined): boolean {
  return operation === undefined || operationWords[operation].namesGroup;
}

export function faultOf(form: FaultFields): OneFault {
  const { operation, group, times } = form;
  const effect: OneFault = choiceOf(form)?.effect(form) ?? { hold: true };
  const met = effect.operation ?? (operation || undefined);
  return {
    ...(met !== undefined && { operation: met }),
    ...(group !== "" && namesGroup(met) && { match: { user_group_id: group } }),
    ...effect,
    ...(times === "always" ? { times: "always" as const } : times !== "1" && { times: Number(times) }),
  };
}

/** The line of code that arms this fault in a test. */
export function toCode(fault: OneFault): string {
  return `await mock.fault(${literal(fault)});`;
}

function literal(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, field]) => `${name}: ${literal(field)}`);
  return `{ ${parts.join(", ")} }`;
}
