import type {
  AdminFailure,
  AssumptionList,
  Fault,
  FaultList,
  FaultRequest,
  Fixture,
  GroupList,
  Health,
  JournalPage,
  RequestBody,
  WorldList,
} from "../contract/types.js";

/** The admin API of the world whose page this is: every path is relative to it. */
export const adminApi = {
  health: () => ask<Health>("GET", "health"),
  requests: () => ask<JournalPage>("GET", "requests"),
  pending: () => ask<JournalPage>("GET", "requests?outcome=pending"),
  requestBody: (id: number) => ask<RequestBody>("GET", `requests/${id}/body`),
  clearRequests: () => ask("DELETE", "requests"),
  har: () => ask<object>("GET", "requests.har"),
  groups: () => ask<GroupList>("GET", "groups"),
  state: () => ask<Fixture>("GET", "state"),
  faults: () => ask<FaultList>("GET", "faults"),
  arm: (fault: FaultRequest) => ask<Fault>("POST", "faults", fault),
  release: (id: number) => ask<Fault>("POST", `faults/${id}/release`),
  removeFault: (id: number) => ask("DELETE", `faults/${id}`),
  assumptions: () => ask<AssumptionList>("GET", "assumptions"),
  assume: (id: string, value: string) => ask<AssumptionList>("PATCH", "assumptions", { [id]: value }),
  reset: () => ask("POST", "reset"),
  worlds: () => ask<WorldList>("GET", "worlds"),
  drop: (name: string) => ask("DELETE", `worlds/${name}`),
};

async function ask<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer> {
  const init = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`./${path}`, { method, ...init });
  if (!response.ok) throw new Error(await reasonOf(response));
  // What answers is the mock that served this page, in the shapes of its schemas.
  return (await response.json()) as Answer;
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as AdminFailure;
    const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`.trim());
    return [error.message, ...details].join(" ");
  } catch {
    return `The mock answered ${response.status}.`;
  }
}
