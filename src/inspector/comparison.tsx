import { formatJson } from "../foundation/format-json.js";
import type { JournalEntry } from "../generated/types.js";
import { useBodies } from "./bodies.js";
import { type DiffLine, diffLines } from "./line-diff.js";
import { hashOf, type Route } from "./route.js";
import { marked } from "./visible-text.js";
import { operationText, statusText } from "./words.js";

interface ComparisonProps {
  readonly entry: JournalEntry;
  readonly other: JournalEntry;
  readonly epoch: number | undefined;
  /** Calls that it can be compared with. */
  readonly others: readonly JournalEntry[];
  readonly choose: (id: number) => void;
}

/** Two calls side by side, the older one on the left, with the lines marked that differ. */
export function Comparison({ entry, other, epoch, others, choose }: ComparisonProps) {
  const [left, right] = other.id < entry.id ? [other, entry] : [entry, other];
  const [leftBodies, rightBodies] = [useBodies(left, epoch), useBodies(right, epoch)];
  if (leftBodies === undefined || rightBodies === undefined) return null;
  const parts: [title: string, lines: readonly DiffLine[]][] = [
    ["Request", diffLines(requestLines(left), requestLines(right))],
    ["Request body", diffLines(bodyLines(leftBodies.request), bodyLines(rightBodies.request))],
    ["Response", diffLines(responseLines(left), responseLines(right))],
    ["Response body", diffLines(bodyLines(leftBodies.response), bodyLines(rightBodies.response))],
  ];
  return (
    <section class="comparison" aria-label="Comparison">
      <p>
        <label>
          Compare #{entry.id} with{" "}
          <select value={other.id} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
            {others.map((one) => (
              <option key={one.id} value={one.id}>
                {`#${one.id} ${operationText(one)} ${statusText(one)}`}
              </option>
            ))}
          </select>
        </label>
      </p>
      {parts.map(([title, lines]) => (
        <ComparedPart key={title} title={title} lines={lines} left={left.id} right={right.id} />
      ))}
    </section>
  );
}

interface ComparedPartProps {
  readonly title: string;
  readonly lines: readonly DiffLine[];
  readonly left: number;
  readonly right: number;
}

function ComparedPart({ title, lines, left, right }: ComparedPartProps) {
  const changed = lines.filter((line) => line.left !== line.right).length;
  return (
    <>
      <h3>
        {title} <small>{changed === 0 ? "the same" : `${changed} of ${lines.length} lines differ`}</small>
      </h3>
      {lines.length > 0 && (
        <table class="diff">
          <thead>
            <tr>
              <th scope="col">#{left}</th>
              <th scope="col">#{right}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr class={line.left === line.right ? undefined : "differs"}>
                <Side text={line.left} mark={line.left === line.right ? "" : "−"} />
                <Side text={line.right} mark={line.left === line.right ? "" : "+"} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Side({ text, mark }: { readonly text: string | undefined; readonly mark: string }) {
  if (text === undefined) return <td class="absent" />;
  return (
    <td>
      <pre>
        {mark !== "" && <b>{mark} </b>}
        {marked(text)}
      </pre>
    </td>
  );
}

/** The calls of the same operation, the best one to compare with first: the last success with the same group. */
export function comparable(
  entry: JournalEntry,
  entries: readonly JournalEntry[],
  groupOf: (entry: JournalEntry) => string | undefined,
): readonly JournalEntry[] {
  const group = groupOf(entry);
  const others = entries.filter((other) => other.id !== entry.id && other.operation === entry.operation);
  const rank = (other: JournalEntry) =>
    (other.outcome === "success" ? 4 : 0) +
    (group !== undefined && groupOf(other) === group ? 2 : 0) +
    (other.id < entry.id ? 1 : 0);
  const distance = (other: JournalEntry) => Math.abs(other.id - entry.id);
  return others.toSorted((a, b) => rank(b) - rank(a) || distance(a) - distance(b)).slice(0, maxOthers);
}

const maxOthers = 100;

export function comparisonHash(
  route: Route,
  epoch: number | undefined,
  compared: number | undefined,
): string {
  return hashOf({ epoch, entry: route.entry, compared, filter: route.filter, timeline: route.timeline });
}

function requestLines({ request }: JournalEntry): readonly string[] {
  return [`${request.method} ${request.path}`, ...headerLines(request.headers)];
}

function responseLines(entry: JournalEntry): readonly string[] {
  return [statusText(entry), ...headerLines(entry.response?.headers ?? {})];
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .sort();
}

function bodyLines(text: string | null): readonly string[] {
  return text === null ? [] : formatJson(text).split("\n");
}
