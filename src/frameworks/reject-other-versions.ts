/**
 * Throws if an entry does not support this version of its framework. An unknown version is supported.
 * @param names the supported versions, as messages and documents name them
 */
export function rejectOtherVersions(names: string, supported: RegExp, version = "unknown"): void {
  if (supported.test(version) || !/^\d/.test(version)) return;
  const advice = "Install one of these, or use startMock() in a hook.";
  throw new Error(`usergroup-mock works with ${names}, but this is ${version}. ${advice}`);
}
