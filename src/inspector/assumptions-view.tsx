import { useEffect, useMemo, useRef } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import type { AssumptionList } from "../generated/types.js";
import { type LedgerRow, readLedger } from "./ledger.js";
import type { Shown } from "./shown-test.js";
import { useStore } from "./store.js";

/** What is known about the service from the profile, and what this world assumes: used here, and not used here. */
export function AssumptionsView({ shown }: { readonly shown: Shown }) {
  const list = shown.world?.assumed;
  const { entries } = shown;
  const ledger = useMemo(() => list && readLedger(list, entries), [list, entries]);
  if (list === undefined || ledger === undefined) return null;
  return (
    <section class="view" aria-label="Assumptions">
      <div class="scroll">
        <LedgerTable title={`Known from the profile${seenText(list)}`} rows={ledger.known} />
        <LedgerTable title="Assumed and used here" rows={ledger.used} />
        <LedgerTable title="Assumed and not used here" rows={ledger.unused} />
      </div>
    </section>
  );
}

/** `, seen at https://service.example on 2026-11-19`. */
function seenText({ verified = {} }: AssumptionList): string {
  const { against, on } = verified;
  if (against === undefined && on === undefined) return "";
  return `, seen${against === undefined ? "" : ` at ${against}`}${on === undefined ? "" : ` on ${on}`}`;
}

interface LedgerTableProps {
  readonly title: string;
  readonly rows: readonly LedgerRow[];
}

function LedgerTable({ title, rows }: LedgerTableProps) {
  const { view } = useStore().state.route;
  const chosen = view.name === "assumptions" ? view.row : undefined;
  if (rows.length === 0) return null;
  return (
    <table class="ledger">
      <caption>{title}</caption>
      <tbody>
        {rows.map((row) => (
          <AssumptionRow key={row.id} row={row} isChosen={row.id === chosen} />
        ))}
      </tbody>
    </table>
  );
}

/** One row. A chip of a request leads to it. */
function AssumptionRow({ row, isChosen }: { readonly row: LedgerRow; readonly isChosen: boolean }) {
  const { id, value, words, why, details, uses, flags } = row;
  const element = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.focus();
  }, [isChosen]);
  return (
    <tr ref={element} tabIndex={isChosen ? -1 : undefined} aria-current={isChosen ? "true" : undefined}>
      <th scope="row">
        <code>{value === "response" ? id : `${id}=${value}`}</code>
        {details.map((detail) => (
          <small key={detail}>{detail}</small>
        ))}
        {uses > 0 && <small>decided {counted(uses, "request")}</small>}
      </th>
      <td>
        {words}
        {why !== undefined && <small>{why}</small>}
      </td>
      <td>
        {flags.length === 0 && <small>only in a profile</small>}
        <ul>
          {flags.map(({ flag, meaning }) => (
            <li key={flag}>
              <code>{flag}</code> <small>{meaning}</small>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}
