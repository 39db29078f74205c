import { printableLines } from "../../../foundation/printable.js";
import { inOneLine } from "../../../foundation/readable-json.js";

/** A profile as JSON, with each situation on one line. */
export function profileText(profile: object): string {
  const fields = Object.entries(profile).map(([name, value]) => {
    return `  ${JSON.stringify(name)}: ${name === "situations" ? rowsText(value) : inOneLine(value)}`;
  });
  return printableLines(`{\n${fields.join(",\n")}\n}\n`);
}

function rowsText(situations: object): string {
  const rows = Object.entries(situations).map(
    ([row, said]) => `    ${JSON.stringify(row)}: ${inOneLine(said)}`,
  );
  return rows.length === 0 ? "{}" : `{\n${rows.join(",\n")}\n  }`;
}
