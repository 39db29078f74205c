import type { FaultRequest } from "../contract/types.js";

/** What the form asks for. */
export interface FaultForm {
  readonly choice: string;
  readonly operation: "" | "get-or-create" | "rotate";
  readonly group: string;
  readonly times: string;
  readonly status: string;
  readonly delayMs: string;
}

export interface FaultChoice {
  readonly id: string;
  readonly title: string;
  readonly does: string;
  /** The further question that it asks. */
  readonly asks?: "status" | "delayMs";
  readonly effect: (form: FaultForm) => FaultRequest;
}

/** What tests are most often about. */
export const faultChoices: readonly FaultChoice[] = [
  {
    id: "status",
    title: "The service is down",
    does: "The call fails with a status; nothing happens in the world.",
    asks: "status",
    effect: ({ status }) => ({ status: Number(status) }),
  },
  {
    id: "slow",
    title: "Slow",
    does: "The call is carried out after a while.",
    asks: "delayMs",
    effect: ({ delayMs }) => ({ delayMs: Number(delayMs) }),
  },
  {
    id: "lost",
    title: "Lost rotation",
    does: "The token is rotated, and the program never learns it.",
    effect: () => ({ operation: "rotate", phase: "after", reset: true }),
  },
  {
    id: "reset",
    title: "Connection reset",
    does: "The connection breaks; nothing happens in the world.",
    effect: () => ({ reset: true }),
  },
  {
    id: "hold",
    title: "Hold",
    does: "The call waits until you release it.",
    effect: () => ({ hold: true }),
  },
];

export const firstForm: FaultForm = {
  choice: "status",
  operation: "",
  group: "",
  times: "1",
  status: "503",
  delayMs: "2000",
};

export function choiceOf(form: FaultForm): FaultChoice | undefined {
  return faultChoices.find(({ id }) => id === form.choice);
}

export function faultOf(form: FaultForm): FaultRequest {
  const { operation, group, times } = form;
  const effect = choiceOf(form)?.effect(form) ?? {};
  // A rotation names its group by the token alone.
  const isRotation = operation === "rotate" || effect.operation === "rotate";
  return {
    ...(operation !== "" && { operation }),
    ...(group !== "" && !isRotation && { match: { user_group_id: group } }),
    ...effect,
    ...(times === "always" ? { times: "always" as const } : times !== "1" && { times: Number(times) }),
  };
}

/** The same in a test. */
export function asCode(fault: FaultRequest): string {
  return `await mock.fault(${literal(fault)});`;
}

function literal(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`);
  return `{ ${parts.join(", ")} }`;
}
