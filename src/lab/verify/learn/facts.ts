import { shownSchemas } from "../../../fake/contract/group-fields.js";

/** What the interface document says, with its words. */
export const facts = {
  created: `get-or-create returns success 1 ("1 if the call was successful"), new_user_group and user_group`,
  rotated: `rotate returns success 1 and user_group ("The user group […], carrying its token")`,
  flag: `new_user_group is "true when a new user group was created by this call", and otherwise false`,
  group: `user_group has ${new Intl.ListFormat("en-GB").format(Object.keys(shownSchemas))}`,
  sent: `name is the name that was sent, and provided_id "corresponds to the request field user_group_id"`,
  rotatedGroup: `rotate "takes the user group's current token and returns the user group"`,
  rotatedToken: `the token that rotate returns is that of the group ("carrying its token") from then on`,
  mapping: `get-or-create accepts mapping ("Schema id to data source association") and properties`,
  authorization: `the Authorization header "applies to both operations": neither succeeds without it`,
  failure: `a failed request returns success "0 when the call was not successful"`,
} as const;

export type FactId = keyof typeof facts;
