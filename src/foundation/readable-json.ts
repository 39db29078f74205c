import { isObject } from "./json.js";
import { printableLines } from "./printable.js";

/** How long a line may be. */
const width = 100;

/**
 * JSON in which a value that fits into a line stands on one, so that a person can read it. Its text is safe to print, and
 * parses to the same value.
 */
export function readableJson(value: unknown): string {
  return printableLines(formatLines(value, ""));
}

/**
 * @param label what stands before the value in its line
 * @param indent of the line
 */
function formatField(label: string, value: unknown, indent: string): string {
  const line = `${indent}${label}${inOneLine(value)}`;
  const comma = 1;
  return line.length + comma <= width ? line : `${indent}${label}${formatLines(value, indent)}`;
}

/** @param indent of the line in which the value ends */
function formatLines(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return inOneLine(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const lines = value.map((one) => formatField("", one, inner));
    return `[\n${lines.join(",\n")}\n${indent}]`;
  }
  const lines = Object.entries(value).map(([name, one]) =>
    formatField(`${JSON.stringify(name)}: `, one, inner),
  );
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

/** JSON on one line, with spaces in objects. */
export function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${inOneLine(one)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
