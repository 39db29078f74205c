import { counted } from "../foundation/grammar.js";
import type { AssumptionEntry, Verified } from "../generated/types.js";
import type { Shown } from "./shown-test.js";
import { useStore } from "./store.js";

/** What the document of the service leaves open, and what this world assumes. Those that decided a response first. */
export function AssumptionsView({ shown }: { readonly shown: Shown }) {
  const { entries } = shown;
  const { assumptions = [], responses, verified = {} } = shown.world?.assumed ?? {};
  const uses = ({ id }: AssumptionEntry) => entries.filter(({ assumed }) => id in assumed).length;
  const seen = seenText(verified);
  const sorted = assumptions.toSorted((a, b) => Math.sign(uses(b)) - Math.sign(uses(a)));
  return (
    <section class="view" aria-label="Assumptions">
      <div class="scroll">
        <table class="assumptions">
          <thead>
            <tr>
              <th scope="col">Question that the document leaves open</th>
              <th scope="col">Assumed in this world</th>
              <th scope="col">Decided</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((one) => (
              <AssumptionRow key={one.id} assumption={one} uses={uses(one)} seen={seen} />
            ))}
          </tbody>
        </table>
        {responses !== undefined && (
          <section class="intro" aria-label="Responses of the profile">
            <h3>Responses of the profile{seen}</h3>
            <ul>
              {Object.entries(responses).map(([name, response]) => (
                <li key={name}>
                  {name} <code>{JSON.stringify(response)}</code>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </section>
  );
}

function seenText({ against, on }: Verified): string {
  return `${against === undefined ? "" : `, seen at ${against}`}${on === undefined ? "" : ` on ${on}`}`;
}

interface AssumptionRowProps {
  readonly assumption: AssumptionEntry;
  readonly uses: number;
  /** Where and when the profile was seen. */
  readonly seen: string;
}

function AssumptionRow({ assumption, uses, seen }: AssumptionRowProps) {
  const store = useStore();
  const { id, question, value, values, why, source } = assumption;
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
        {source === "profile" && <small>known from the profile{seen}</small>}
        {value !== assumption.default && <small>default: {assumption.default}</small>}
      </td>
      <td>{uses > 0 && counted(uses, "request")}</td>
    </tr>
  );
}
