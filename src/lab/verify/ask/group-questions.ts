import type { SituationId } from "../../../fake/contract/situations.js";
import { groupIn, isNewGroup, succeeded } from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import { type Question, request, rotation } from "./question.js";
import type { Seen, VerifyRun } from "./run.js";

/** Of a row that is about the response to a success. */
async function ofSuccess(
  run: VerifyRun,
  kind: "created" | "found" | "rotated",
  send?: () => Promise<unknown>,
): Promise<Seen> {
  await send?.();
  const first = run.usual.find((one) => one.kind === kind);
  if (first === undefined) throw new NotAsked("nothing to ask", "a request that has to succeed was rejected");
  return { ...first.exchange, outcome: "accepted" };
}

/** A token of the same form that no group has: of a UUID or behind a prefix, only the end is another one. */
function turnedToken(token: unknown): string {
  const text = String(token);
  const [end = text] = /[a-z0-9]{8,}$/i.exec(text) ?? [];
  const turned = text.slice(0, text.length - end.length) + [...end].reverse().join("");
  return turned === text ? `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}` : turned;
}

/** An API token of another team, which the service has not rejected. */
export function needSecondTeam(run: VerifyRun): void {
  if (run.target.secondApiToken === undefined) throw new NotAsked("--second-api-token");
  const rejected = run.notAsked.get("id of the other team's group");
  if (rejected?.kind === "the second API token was rejected") throw rejected;
}

/** What makes groups and tokens, in the order in which it is asked. */
export const groupQuestions = {
  created: { ask: (run) => ofSuccess(run, "created") },
  found: { ask: (run) => ofSuccess(run, "found", () => run.lookUp()) },
  rotated: {
    ask: (run) =>
      ofSuccess(run, "rotated", async () => {
        const { received } = await run.rotate();
        if (succeeded(received)) await run.lookUp("T");
      }),
  },
  "rotated token": {
    ask: async (run) => {
      const before = run.token();
      const exchange = await run.rotate();
      const { token } = groupIn(exchange.received);
      if (!succeeded(exchange.received)) return { ...exchange, outcome: undefined };
      return { ...exchange, outcome: token === before ? "same" : "new" };
    },
  },
  "current_token: previous": request((run) => run.post({ current_token: run.token(1) })),
  "current_token: older": {
    ask: async (run) => {
      await run.rotate();
      return run.ask(() => run.post({ current_token: run.token(2) }));
    },
  },
  "current_token: unknown": request((run) => {
    return run.post({ current_token: turnedToken(run.group("F").tokens.at(-1)) });
  }),
  "current_token: other form": request((run) => run.post({ current_token: `${run.groups.prefix}-x` })),
  "id of the other team's group": {
    leavesGroup: true,
    ask: async (run) => {
      needSecondTeam(run);
      const seen = await run.ask(
        () => run.get(run.bodyOf("F"), { team: 2 }),
        ({ received }) => (isNewGroup(received) ? "another group" : "same group"),
      );
      if (seen.outcome !== undefined) return seen;
      const own = await run.send(() => run.get(run.newBody(), { team: 2 }));
      if (succeeded(own.received)) return seen;
      throw new NotAsked("the second API token was rejected", `status ${seen.received.status}`);
    },
  },
  "current_token: of the other team": {
    ask: async (run) => {
      needSecondTeam(run);
      return run.ask(() => run.post({ current_token: run.token() }, { team: 2 }));
    },
  },
  "filename: sent": rotation(() => ({ filename: "video one.mp4" })),
} as const satisfies { readonly [Id in SituationId]?: Question };
