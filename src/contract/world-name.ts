/** The world of a base URL that names none. */
export const defaultWorld = "default";

/**
 * A whole name has to match; also the `pattern` of an HTML form, hence `\-`. Clients remove the steps . and .. from a
 * path before they send it, so a world cannot be called that.
 */
export const worldNamePattern = "(?!\\.{1,2}$)[A-Za-z0-9._\\-]{1,64}";
