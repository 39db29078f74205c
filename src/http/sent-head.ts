import type { ServerResponse } from "node:http";
import type { Headers } from "./send-json.js";

/** Status line and headers as Node sends them, with those that it adds. Other runtimes do not show these. */
export function headOf(res: ServerResponse, status: number, headers: Headers): string {
  const { _header: head } = res as { _header?: unknown };
  if (typeof head === "string") return head;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status}`, ...lines].join("\r\n");
}
