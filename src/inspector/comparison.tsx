import type { HistoryItem, JournalEntry } from "../generated/types.js";
import { useBodies } from "./bodies.js";
import { formatJson } from "./format-json.js";
import { sectionName } from "./journal-items.js";
import { type DiffLine, diffLines, diffParts, type LinePart } from "./line-diff.js";
import { usePastJournals } from "./past-journals.js";
import type { ComparedEntry } from "./route.js";
import { showInvisible } from "./shown-text.js";
import { operationText, statusText } from "./texts.js";
import type { WorldStore } from "./world-store.js";

interface ComparisonProps {
  readonly store: WorldStore;
  readonly entry: JournalEntry;
  readonly epoch: number | undefined;
  readonly compared: ComparedEntry;
  readonly choose: (compared: ComparedEntry) => void;
}

/** The open request beside any other one, of this test or an earlier one, with the differences marked. */
export function Comparison({ store, entry, epoch, compared, choose }: ComparisonProps) {
  const { history, entries: now, epoch: current } = store.known;
  const otherEpoch = compared.epoch ?? epoch;
  const past = usePastJournals(otherEpoch === undefined || otherEpoch === current ? [] : [otherEpoch]);
  const journal = otherEpoch === current ? now : (past.get(otherEpoch ?? 0) ?? []);
  const other = journal.find(({ id }) => id === compared.id);
  const others = journal.filter(({ id }) => otherEpoch !== epoch || id !== entry.id);
  return (
    <section class="comparison" aria-label="Comparison">
      <p>
        <label>
          Compare #{entry.id} with{" "}
          <select
            value={other?.id ?? ""}
            onChange={({ currentTarget }) =>
              choose({ epoch: compared.epoch, id: Number(currentTarget.value) })
            }
          >
            {other === undefined && <option value="">…</option>}
            {others.map((one) => (
              <option key={one.id} value={one.id}>
                {`#${one.id} ${operationText(one)} ${statusText(one)}`}
              </option>
            ))}
          </select>
        </label>{" "}
        {history.length > 0 && (
          <label>
            of{" "}
            <select
              aria-label="Test of the other request"
              value={otherEpoch}
              onChange={({ currentTarget }) => {
                const n = Number(currentTarget.value);
                choose({ epoch: n === epoch ? undefined : n, id: entry.id });
              }}
            >
              <option value={current}>current test</option>
              {history.map((item: HistoryItem) => (
                <option key={item.n} value={item.n}>
                  {sectionName(item)}
                </option>
              ))}
            </select>
          </label>
        )}
      </p>
      {other === undefined ? (
        <p class="none">Choose a request to compare with.</p>
      ) : (
        <ComparedRequests entry={entry} epoch={epoch} other={other} otherEpoch={otherEpoch} />
      )}
    </section>
  );
}

interface ComparedRequestsProps {
  readonly entry: JournalEntry;
  readonly epoch: number | undefined;
  readonly other: JournalEntry;
  readonly otherEpoch: number | undefined;
}

/** Shows the older request on the left. */
function ComparedRequests({ entry, epoch, other, otherEpoch }: ComparedRequestsProps) {
  const [bodies, otherBodies] = [useBodies(entry, epoch), useBodies(other, otherEpoch)];
  if (bodies === undefined || otherBodies === undefined) return null;
  const isOlder = other.at < entry.at || (other.at === entry.at && other.id < entry.id);
  const [left, right] = isOlder ? [other, entry] : [entry, other];
  const [leftBodies, rightBodies] = isOlder ? [otherBodies, bodies] : [bodies, otherBodies];
  const parts: [title: string, lines: readonly DiffLine[]][] = [
    ["Request", diffLines(requestLines(left), requestLines(right))],
    ["Request body", diffLines(bodyLines(leftBodies.request), bodyLines(rightBodies.request))],
    ["Response", diffLines(responseLines(left), responseLines(right))],
    ["Response body", diffLines(bodyLines(leftBodies.response), bodyLines(rightBodies.response))],
  ];
  return (
    <>
      {parts.map(([title, lines]) => (
        <ComparedPart key={title} title={title} lines={lines} left={`#${left.id}`} right={`#${right.id}`} />
      ))}
      <p class="none">Headers that always differ are left out: {alwaysDifferent.join(", ")}.</p>
    </>
  );
}

interface ComparedPartProps {
  readonly title: string;
  readonly lines: readonly DiffLine[];
  readonly left: string;
  readonly right: string;
}

export function ComparedPart({ title, lines, left, right }: ComparedPartProps) {
  const changed = lines.filter((line) => line.left !== line.right).length;
  return (
    <>
      <h3>
        {title}{" "}
        <small>
          {changed === 0
            ? "identical"
            : `${changed} of ${lines.length} lines ${changed === 1 ? "differs" : "differ"}`}
        </small>
      </h3>
      {lines.length > 0 && (
        <table class="diff">
          <thead>
            <tr>
              <th scope="col">{left}</th>
              <th scope="col">{right}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <ComparedLine line={line} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function ComparedLine({ line: { left, right } }: { readonly line: DiffLine }) {
  const whole = (text: string | undefined) => (text === undefined ? undefined : [{ text, isSame: true }]);
  // Within a changed line, only the differing parts are marked.
  const isChanged = left !== undefined && right !== undefined && left !== right;
  const parts = isChanged ? diffParts(left, right) : { left: whole(left), right: whole(right) };
  return (
    <tr class={left === right ? undefined : "differs"}>
      <Side parts={parts.left} mark={left === right ? "" : "−"} />
      <Side parts={parts.right} mark={left === right ? "" : "+"} />
    </tr>
  );
}

interface SideProps {
  readonly parts: readonly LinePart[] | undefined;
  readonly mark: string;
}

function Side({ parts, mark }: SideProps) {
  if (parts === undefined) return <td class="absent" />;
  return (
    <td>
      <pre>
        {mark !== "" && <b>{mark} </b>}
        {parts.map(({ text, isSame }) => (isSame ? showInvisible(text) : <mark>{showInvisible(text)}</mark>))}
      </pre>
    </td>
  );
}

/** The request to compare with by default: the previous attempt, otherwise a similar success, otherwise any. */
export function bestToCompare(
  entry: JournalEntry,
  entries: readonly JournalEntry[],
  retried: number | undefined,
  groupOf: (entry: JournalEntry) => string | undefined,
): { readonly other: JournalEntry; readonly reason: string } | undefined {
  const attempt = entries.find(({ id }) => id === retried);
  if (attempt !== undefined) return { other: attempt, reason: "the previous attempt" };
  const group = groupOf(entry);
  const rank = (other: JournalEntry) =>
    (other.operation === entry.operation ? 8 : 0) +
    (other.outcome === "success" ? 4 : 0) +
    (group !== undefined && groupOf(other) === group ? 2 : 0) +
    (other.id < entry.id ? 1 : 0);
  const distance = (other: JournalEntry) => Math.abs(other.id - entry.id);
  const [other] = entries
    .filter(({ id }) => id !== entry.id)
    .toSorted((a, b) => rank(b) - rank(a) || distance(a) - distance(b));
  if (other === undefined) return undefined;
  const isLike = other.operation === entry.operation && other.outcome === "success";
  return { other, reason: isLike ? "the last success" : "another request" };
}

/** Headers with the time, the request id or the length of the body. */
const alwaysDifferent = ["date", "content-length", "usergroup-mock-request"];

function requestLines({ request }: JournalEntry): readonly string[] {
  return [`${request.method} ${request.path}`, ...headerLines(request.headers)];
}

function responseLines(entry: JournalEntry): readonly string[] {
  return [statusText(entry), ...headerLines(entry.response?.headers ?? {})];
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !alwaysDifferent.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
}

function bodyLines(text: string | null): readonly string[] {
  return text === null ? [] : formatJson(text).split("\n");
}
