import { type SituationId, situationIds } from "../../../fake/contract/situations.js";
import { type Sent, succeeded } from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import { letters, numbersIn } from "./lengths.js";
import {
  checksNamesOnCreation,
  type Fields,
  formText,
  formType,
  type Question,
  requestOnce,
} from "./question.js";
import type { Seen, VerifyRun } from "./run.js";

/** Whether the id was rejected. */
function namesId({ outcome, received }: Seen): boolean {
  return outcome === undefined && /user.?group.?id/i.test(received.text);
}

/** Whether it is about a field that was not sent either. */
function isForAnotherField({ received }: Seen): boolean {
  return /\b(name|mapping|properties)\b/i.test(received.text);
}

/**
 * An id that a service may take for no filter. It is sent with nothing else first, so that nothing of somebody's group can
 * be overwritten. Other fields follow only if the service has rejected the id itself.
 */
function guardedId(user_group_id: unknown): Question {
  return {
    ask: async (run) => {
      const alone = await run.ask(() => run.get({ user_group_id }), undefined, { isOnce: true });
      if (alone.outcome !== undefined) return alone;
      if (!namesId(alone)) {
        if (isForAnotherField(alone)) throw new NotAsked("a rejection for something else");
        return alone;
      }
      return run.ask(() => run.get({ ...run.newBody(), user_group_id }), undefined, { isOnce: true });
    },
  };
}

/**
 * Ids of random letters, with nothing else: of one, and if that is rejected, of the length in the message or by halving.
 * Two letters may be somebody's: they are not tried, so they count as rejected.
 */
async function askShortId(run: VerifyRun): Promise<Seen> {
  const askAlone = (id: string) => run.ask(() => run.get({ user_group_id: id }), undefined, { isOnce: true });
  const seen = await askAlone(letters(1));
  if (seen.outcome !== undefined) return seen;
  if (!namesId(seen)) throw new NotAsked("a rejection for something else");
  const [named] = numbersIn(seen, 4).filter((number) => number >= 2 && number <= 16);
  if (named !== undefined) return { ...seen, limit: { under: named } };
  const usual = run.groups.newId();
  if (namesId(await askAlone(usual))) throw new NotAsked("a rejection for something else");
  let [rejected, accepted] = [2, usual.length];
  while (accepted - rejected > 1) {
    const middle = Math.floor((rejected + accepted) / 2);
    if (namesId(await askAlone(letters(middle)))) rejected = middle;
    else accepted = middle;
  }
  return { ...seen, limit: { under: accepted } };
}

/** A request with two problems, each of which was rejected when it was alone. */
async function askPair(
  run: VerifyRun,
  rows: readonly [SituationId, SituationId],
  make: () => Sent,
): Promise<Seen | undefined> {
  const areRejected = rows.every((row) => run.seen.get(row)?.outcome === undefined && run.seen.has(row));
  if (!areRejected) return undefined;
  const exchange = await run.send(make, { isOnce: true });
  if (succeeded(exchange.received)) return undefined;
  run.pairs.push({ rows, exchange });
  return { ...exchange, outcome: undefined };
}

const wrongFields = {
  "name: number": { name: 704_193 },
  "mapping: text": { mapping: "text" },
  "properties: text": { properties: "text" },
};

type WrongFields = readonly (readonly [SituationId, Fields])[];

/** Problems of a new group that are not those of a type. */
const wrongNames: WrongFields = [
  ["name: missing", () => ({ name: undefined })],
  ["name: empty", () => ({ name: "" })],
];

const wrongOthers: WrongFields = [
  ["mapping: missing", () => ({ mapping: undefined })],
  ["mapping: empty", () => ({ mapping: {} })],
  [
    "user_group_id: long",
    (run) => {
      const length = (run.seen.get("user_group_id: long")?.limit?.over ?? 0) + 1;
      return { user_group_id: run.groups.newId().padEnd(length, "x") };
    },
  ],
];

/** Two of them: where a decoder ends at the first wrong type, they show what comes after it. */
async function askRules(run: VerifyRun): Promise<Seen | undefined> {
  const isRejected = ([row]: WrongFields[number]) => run.outcome(row) === "rejected" && run.seen.has(row);
  const both = [wrongNames.find(isRejected), wrongOthers.find(isRejected)].flatMap((one) =>
    one ? [one] : [],
  );
  const [first, second] = both.sort(
    ([one], [other]) => situationIds.indexOf(one) - situationIds.indexOf(other),
  );
  if (first === undefined || second === undefined) return undefined;
  return askPair(run, [first[0], second[0]], () =>
    run.get({ ...run.newBody(), ...first[1](run), ...second[1](run) }),
  );
}

async function askWithoutId(run: VerifyRun): Promise<Seen | undefined> {
  const rows = Object.keys(wrongFields) as (keyof typeof wrongFields)[];
  const wrong = rows.find((row) => run.outcome(row) === "rejected" && run.seen.has(row));
  if (wrong === undefined || run.foreign.size > 0) return undefined;
  const withoutId = { ...run.base, name: run.groups.newName() };
  return askPair(run, ["user_group_id: missing", wrong], () =>
    run.get({ ...withoutId, ...wrongFields[wrong] }),
  );
}

/** Two wrong types. A decoder may end at the first one in the text. */
async function askTypes(run: VerifyRun): Promise<Seen | undefined> {
  const wrong = { name: 704_193, mapping: "text" };
  return checksNamesOnCreation(run)
    ? askPair(run, ["name: number", "mapping: text"], () => run.get({ ...wrong, ...run.newBody(), ...wrong }))
    : askPair(run, ["existing group: name number", "mapping: text"], () =>
        run.get({ ...wrong, ...run.bodyOf("F"), ...wrong }),
      );
}

async function askSeveral(run: VerifyRun): Promise<Seen> {
  const [first, second, third] = [await askWithoutId(run), await askTypes(run), await askRules(run)];
  const seen = first ?? second ?? third;
  if (seen === undefined) throw new NotAsked("nothing to ask", "two problems that are rejected");
  return seen;
}

const wrongToken = (value: (run: VerifyRun) => unknown) =>
  requestOnce((run) => run.post({ current_token: value(run) }));

/**
 * Requests that a service may take for one about any group, the least likely ones first. Each is sent once, and none after
 * one of them succeeded about a group of somebody else.
 */
export const guardedQuestions = {
  "current_token: number": wrongToken(() => 987654321012345),
  "current_token: list": wrongToken(({ groups }) => [`${groups.prefix}-x`]),
  "current_token: object": wrongToken(({ groups }) => ({ a: `${groups.prefix}-x` })),
  "POST: no Content-Type": requestOnce((run) => {
    return run.post({ current_token: run.token() }, { headers: { "Content-Type": undefined } });
  }),
  "POST: form": requestOnce((run) => {
    return run.post(formText({ current_token: run.token() }), { headers: formType });
  }),
  "POST: other Content-Type": requestOnce((run) => {
    return run.post({ current_token: run.token() }, { headers: { "Content-Type": "text/plain" } });
  }),
  "POST: broken JSON": requestOnce((run) => run.post(`{"current_token":${JSON.stringify(run.token())},}`)),
  "POST: not an object": requestOnce((run) => run.post([])),
  "current_token: empty": requestOnce((run) => run.post({ current_token: "" })),
  "current_token: missing": requestOnce((run) => run.post({})),
  "POST: no body": requestOnce((run) => run.post(undefined)),
  "current_token: null": requestOnce((run) => run.post({ current_token: null })),
  "user_group_id: missing": guardedId(undefined),
  "user_group_id: null": guardedId(null),
  "user_group_id: empty": guardedId(""),
  "user_group_id: short": { ask: askShortId },
  "several problems": { ask: askSeveral },
} as const satisfies { readonly [Id in SituationId]?: Question };
