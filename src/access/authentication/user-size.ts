import type { UserInfo } from "../../apimachinery/requests/request-info.js";

/** How many characters, and how many groups and extra values, describe a user. */
export function userSize({ name, uid, groups, extra }: UserInfo): {
  readonly characters: number;
  readonly values: number;
} {
  let characters = name.length + uid.length;
  let values = groups.length;
  for (const group of groups) characters += group.length;
  for (const key in extra) {
    const texts = extra[key] ?? [];
    characters += key.length;
    values += Math.max(1, texts.length);
    for (const text of texts) characters += text.length;
  }
  return { characters, values };
}
