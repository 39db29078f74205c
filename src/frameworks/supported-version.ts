/** The versions of a framework that an entry works with. */
export interface SupportedVersions {
  readonly framework: string;
  /** As messages and documents name them. */
  readonly range: string;
  /** From this version, major and minor … */
  readonly from: readonly [major: number, minor: number];
  /** … to the last one of this major version. */
  readonly to: number;
}

/** Throws one line when this version is none of them. One that cannot be found out is taken for supported. */
export function refuseOtherVersions(supported: SupportedVersions, version: string | undefined): void {
  const [, major = "", minor = ""] = /^(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  if (major === "") return;
  const { framework, range, from, to } = supported;
  const isOld = Number(major) < from[0] || (Number(major) === from[0] && Number(minor) < from[1]);
  if (!isOld && Number(major) <= to) return;
  const advice = "Install one of these, or use startMock() in a hook.";
  throw new Error(`usergroup-mock works with ${framework} ${range}, and this is ${version}. ${advice}`);
}
