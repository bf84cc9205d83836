import type { UserInfo as KnownUser } from "../../apimachinery/requests/request-info.js";
import type { UserInfo } from "../../apis/gen/authentication-v1.js";

/** A user in the form of reviews. */
export function reviewedUser(user: KnownUser): UserInfo {
  const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]]);
  return {
    username: user.name,
    ...(user.uid !== "" && { uid: user.uid }),
    groups: [...user.groups],
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}
