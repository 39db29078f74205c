/** A value as a JavaScript expression on one line. */
export function codeLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(codeLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const parts = Object.entries(value).map(([name, field]) => {
    const isName = /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__";
    return `${isName ? name : `[${JSON.stringify(name)}]`}: ${codeLiteral(field)}`;
  });
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
