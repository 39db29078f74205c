import { counted } from "../foundation/grammar.js";
import type { AssumptionEntry, AssumptionList } from "../generated/types.js";
import type { Shown } from "./shown-test.js";
import { useStore } from "./store.js";

/** What is known about the service from the profile, and what this world assumes: used here, and not used here. */
export function AssumptionsView({ shown }: { readonly shown: Shown }) {
  const list = shown.world?.assumed ?? { assumptions: [], situations: [] };
  const uses = ({ id }: AssumptionEntry) => shown.entries.filter(({ assumed }) => id in assumed).length;
  const assumed = list.assumptions.filter(({ source }) => source !== "profile");
  const used = assumed.filter((one) => uses(one) > 0);
  const unused = assumed.filter((one) => uses(one) === 0);
  return (
    <section class="view" aria-label="Assumptions">
      <div class="scroll">
        <Known list={list} />
        {used.length > 0 && <AssumptionTable title="Assumed and used here" assumptions={used} uses={uses} />}
        {unused.length > 0 && <AssumptionTable title="Assumed and not used here" assumptions={unused} />}
      </div>
    </section>
  );
}

/** What the profile has: nothing on this page changes it. */
function Known({ list }: { readonly list: AssumptionList }) {
  const { situations, verified = {} } = list;
  const { against, on } = verified;
  const rows = situations.filter(({ source }) => source === "profile");
  if (rows.length === 0) return null;
  const seen = `${against === undefined ? "" : `, seen at ${against}`}${on === undefined ? "" : ` on ${on}`}`;
  return (
    <section class="intro" aria-label="Known">
      <h3>Known from the profile{seen}</h3>
      <ul>
        {rows.map(({ situation, outcome }) => (
          <li key={situation}>
            {situation} <code>{outcome}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AssumptionTableProps {
  readonly title: string;
  readonly assumptions: readonly AssumptionEntry[];
  /** How many requests an assumption decided. */
  readonly uses?: (assumption: AssumptionEntry) => number;
}

function AssumptionTable({ title, assumptions, uses }: AssumptionTableProps) {
  return (
    <table class="assumptions">
      <caption>{title}</caption>
      <tbody>
        {assumptions.map((one) => (
          <AssumptionRow key={one.id} assumption={one} uses={uses?.(one)} />
        ))}
      </tbody>
    </table>
  );
}

interface AssumptionRowProps {
  readonly assumption: AssumptionEntry;
  readonly uses: number | undefined;
}

function AssumptionRow({ assumption, uses }: AssumptionRowProps) {
  const store = useStore();
  const { id, question, value, values, why } = assumption;
  const assume = (chosen: string) => store.act(() => store.admin("assume", { body: { [id]: chosen } }));
  return (
    <tr>
      <th scope="row">
        {question}
        <small>
          <code>{id}</code> {why}
        </small>
      </th>
      <td>
        <select
          aria-label={id}
          disabled={!store.canAct}
          value={value}
          onChange={({ currentTarget }) => assume(currentTarget.value)}
        >
          {values.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.meaning === choice.value ? choice.value : `${choice.value}: ${choice.meaning}`}
            </option>
          ))}
        </select>
        {uses !== undefined && <small>decided {counted(uses, "request")}</small>}
        {value !== assumption.default && <small>default: {assumption.default}</small>}
      </td>
    </tr>
  );
}
