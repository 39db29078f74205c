import userGroup from "../../schemas/user-group.json" with { type: "json" };

/** The fields of a group that the service shows. */
export const userGroupFields = userGroup.properties;
