import type { AssumptionValues } from "../../../fake/contract/assumptions.js";
import type { ExistingGroup, ShownChange } from "../ask/existing-group.js";

/** What the mock does to a group that exists, and what it then does in another way than the service. */
export interface ConcludedExistingGroup {
  readonly value: AssumptionValues["existing-group"];
  readonly remark?: string;
}

/** The value that says most of what the service does. What the mock accepts by mistake is worse than what it rejects. */
export function concludeExistingGroup(found: ExistingGroup): ConcludedExistingGroup {
  const { name, others, mapping, properties } = found;
  if (others === "rejected") {
    const remark =
      "the service rejects other properties or another mapping, but not another name; the mock rejects all";
    return { value: "rejected", ...(name !== "rejected" && { remark }) };
  }
  if (name === "rejected") return { value: "name-rejected" };
  if (name === "unchanged") return { value: "unchanged", ...remarkOn(found, "kept") };
  const isMerged = mapping === "merged" || properties === "merged";
  if (isMerged) return { value: "merged", ...remarkOn(found, "merged") };
  return { value: "updated", ...remarkOn(found, "replaced") };
}

/** Names the fields that the service changes in another way than the mock does with the value. */
function remarkOn({ mapping, properties }: ExistingGroup, mocked: ShownChange): { remark?: string } {
  const different = Object.entries({ mapping, properties }).filter(
    ([, shown]) => shown !== undefined && shown !== mocked,
  );
  if (different.length === 0) return {};
  const fields = different.map(([field, shown]) => `${field} (${shown} by the service)`);
  return { remark: `not so for ${fields.join(" and ")}` };
}
