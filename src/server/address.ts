/** Whether only this machine can reach a server that is bound to this address. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

/** The URL at which this machine reaches a server that is bound to this address. */
export function urlAt(host: string, port: number, isSecure: boolean): string {
  return `${isSecure ? "https" : "http"}://${reachable(host)}:${port}`;
}

function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  // Not isIPv6: its regular expression takes 4 ms the first time.
  return host.includes(":") ? `[${host}]` : host;
}
