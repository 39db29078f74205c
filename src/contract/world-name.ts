/** The world of a base URL without `/worlds/{name}`. */
export const defaultWorld = "default";

/**
 * Also the `pattern` of an HTML form, hence `\-`. Clients resolve `.` and `..` in a path before they send it, so a world
 * cannot have these names.
 */
export const worldNamePattern = "(?!\\.{1,2}$)[A-Za-z0-9._\\-]{1,64}";

/** The base URL of a world. */
export function worldUrl(serverUrl: string, name: string): string {
  return name === defaultWorld ? serverUrl : `${serverUrl}/worlds/${name}`;
}
