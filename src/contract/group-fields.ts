import groupDetail from "../../schemas/group-detail.json" with { type: "json" };
import userGroup from "../../schemas/user-group.json" with { type: "json" };

/** The fields of a group that the service shows. */
export const userGroupFields = userGroup.properties;

/** All fields of a group, with those that only the mock shows. */
export const groupFields = { ...userGroupFields, ...groupDetail.properties };
