// Profiles without what one mechanism of verify found, to show what it earns.

/** @typedef {Record<string, unknown>} Situations */

/** @type {Readonly<Record<string, (situations: Situations) => Situations>>} */
const mechanisms = {
  placeholders: (situations) =>
    mapTexts(situations, (text) => text.replace(/\{[a-z_]+(\|\[\])?\}/g, "example")),
  headers: (situations) => mapResponses(situations, ({ headers: _, ...rest }) => rest),
  lengths: (situations) => withoutRows(situations, /: (long|short)$/),
  characters: (situations) => withoutRows(situations, /: characters$/),
  // What has the response of the row that it resembles gets ours.
  likeness: (situations) =>
    mapRows(situations, (outcome) => (outcome === "rejected" ? { status: 400 } : outcome)),
  "several problems": (situations) => withoutRows(situations, /^several problems$/),
};

/** @param {string} mechanism */
export function checkMechanism(mechanism) {
  if (mechanism in mechanisms) return;
  throw new Error(`No mechanism ${mechanism}. There are ${Object.keys(mechanisms).join(", ")}.`);
}

/**
 * @param {{ situations: Situations }} profile
 * @param {string} mechanism
 */
export function leaveOut(profile, mechanism) {
  const situations = mechanisms[mechanism]?.(profile.situations) ?? profile.situations;
  return { ...profile, situations };
}

/**
 * @param {Situations} situations
 * @param {(outcome: unknown) => unknown} change
 */
function mapRows(situations, change) {
  return Object.fromEntries(Object.entries(situations).map(([name, outcome]) => [name, change(outcome)]));
}

/**
 * @param {Situations} situations
 * @param {(response: Record<string, unknown>) => unknown} change
 */
function mapResponses(situations, change) {
  const isResponse = (/** @type {unknown} */ one) => typeof one === "object" && one !== null;
  return mapRows(situations, (one) => (isResponse(one) ? change(/** @type {Situations} */ (one)) : one));
}

/**
 * @param {Situations} situations
 * @param {RegExp} names
 */
function withoutRows(situations, names) {
  return Object.fromEntries(Object.entries(situations).filter(([name]) => !names.test(name)));
}

/**
 * @param {Situations} situations
 * @param {(text: string) => string} change
 * @returns {Situations}
 */
function mapTexts(situations, change) {
  return JSON.parse(JSON.stringify(situations), (_, value) =>
    typeof value === "string" ? change(value) : value,
  );
}
