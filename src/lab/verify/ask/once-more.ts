import { rowOf, type SituationId } from "../../../fake/contract/situations.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import { type Exchange, isNewGroup, succeeded } from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import { checksNamesOnCreation, type OnceMore, type Question } from "./question.js";
import type { Seen, VerifyRun } from "./run.js";

/** What several rows say of one new group. */
interface Together {
  readonly rows: readonly RowOnceMore[];
  readonly fields: JsonObject;
}

interface RowOnceMore extends OnceMore {
  readonly id: SituationId;
}

/**
 * What a group accepted that exists is no proof for a new one: some services check only on creation. So it is asked once
 * more, in as few new groups as possible. Where names are checked only on creation, new groups are asked first, and a group
 * that exists about what these accepted. A row is accepted only if both accepted it.
 */
export async function askOnceMore(
  run: VerifyRun,
  questions: readonly (readonly [SituationId, Question])[],
): Promise<void> {
  const rows = questions.flatMap(([id, { onceMore }]): RowOnceMore[] => {
    return onceMore !== undefined && isOpenForNew(run, id, onceMore) ? [{ id, ...onceMore }] : [];
  });
  const first = rows.filter((row) => !run.seen.has(row.id) && !row.isOnlyNew?.(run));
  await askTogether(run, rows, (fields) => ({ ...run.newBody(), ...fields }), settle);
  const accepted = first.filter(({ id }) => run.seen.get(id)?.outcome !== undefined);
  await askTogether(
    run,
    accepted,
    (fields) => ({ ...run.bodyOf("B"), ...fields }),
    (_run, { id }, exchange) => {
      if (!succeeded(exchange.received)) run.seen.set(id, { ...exchange, outcome: undefined });
    },
  );
}

/** Whether a question about a group that exists is left to `askOnceMore`. */
export function isAskedOfNewFirst(run: VerifyRun, { onceMore }: Pick<Question, "onceMore">): boolean {
  const { isOnlyNew } = onceMore ?? {};
  return isOnlyNew !== undefined && (isOnlyNew(run) || checksNamesOnCreation(run));
}

/** Asks rows in as few requests as possible. */
async function askTogether(
  run: VerifyRun,
  rows: readonly RowOnceMore[],
  body: (fields: JsonObject) => JsonObject,
  settleRow: (run: VerifyRun, row: RowOnceMore, exchange: Exchange) => void,
): Promise<void> {
  for (const together of putTogether(rows.map((row) => ({ rows: [row], fields: row.fields(run) })))) {
    const exchange = await sendWith(run, together, body);
    if (exchange === undefined) continue;
    // One by one, only if they were rejected together.
    const isSettled = together.rows.length === 1 || succeeded(exchange.received);
    for (const row of together.rows) {
      const own = isSettled ? exchange : await sendWith(run, { rows: [row], fields: row.fields(run) }, body);
      if (own !== undefined) settleRow(run, row, own);
    }
  }
}

/** In a light run, only what the file has as rejected. */
function isOpenForNew(run: VerifyRun, row: SituationId, onceMore: OnceMore): boolean {
  const seen = run.seen.get(row);
  const isOpen =
    seen === undefined ? isAskedOfNewFirst(run, { onceMore }) && !run.notAsked.has(row) : isOfExisting(seen);
  return isOpen && (!run.isLight || run.expectedOutcome(row) === "rejected");
}

function isOfExisting({ outcome, received }: Seen): boolean {
  return outcome !== undefined && !isNewGroup(received);
}

function putTogether(changes: readonly Together[]): Together[] {
  const result: Together[] = [];
  for (const change of changes) {
    const index = result.findIndex(({ fields }) => canJoin(fields, change.fields));
    const other = result[index];
    if (other === undefined) result.push(change);
    else result[index] = join(other, change);
  }
  return result;
}

/** Two mappings can be one if they have different keys. */
function canJoin(one: JsonObject, other: JsonObject): boolean {
  const same = Object.keys(other).filter((name) => name in one);
  return same.every((name) => areDistinct(one[name], other[name]));
}

function areDistinct(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(other);
  return keys.length > 0 && Object.keys(one).length > 0 && keys.every((key) => !(key in one));
}

function join(one: Together, other: Together): Together {
  const fields: Record<string, unknown> = { ...one.fields };
  for (const [name, value] of Object.entries(other.fields))
    fields[name] = isObject(fields[name]) ? { ...Object(fields[name]), ...Object(value) } : value;
  return { rows: [...one.rows, ...other.rows], fields };
}

/** Undefined if there is no usable response: then nothing is known of these rows. */
async function sendWith(
  run: VerifyRun,
  { rows, fields }: Together,
  body: (fields: JsonObject) => JsonObject,
): Promise<Exchange | undefined> {
  try {
    return await run.send(() => run.get(body(fields)));
  } catch (error) {
    if (!(error instanceof NotAsked)) throw error;
    for (const { id } of rows) run.forget(id, error);
    return undefined;
  }
}

/** What a new group says of a row. */
function settle(run: VerifyRun, { id, read = () => "accepted" }: RowOnceMore, exchange: Exchange): void {
  if (succeeded(exchange.received)) {
    // The group that exists may have kept what it had.
    run.seen.set(id, { ...exchange, outcome: read(exchange, run) });
    return;
  }
  const limit = run.seen.get(id)?.limit;
  if (rowOf(id).limit !== undefined && limit === undefined)
    run.forget(id, new NotAsked("accepted of a group that exists only"));
  else run.seen.set(id, { ...exchange, outcome: undefined, ...(limit && { limit }) });
}
