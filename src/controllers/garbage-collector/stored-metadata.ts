import { memberOf } from "../../apimachinery/json/json-member.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import type { StoredObject } from "../../storage/object-store.js";

const managedFieldsText = '"managedFields":[';

/**
 * The metadata of an object without its managed fields. The rest of the object, which may be megabytes, is not read. The result is the
 * caller's.
 */
export function storedMetadata(stored: StoredObject<ApiObject>): ObjectMeta {
  const text = memberOf(beforeManagedFields(stored), "metadata")?.toString("utf8") ?? "{}";
  // Cutting off the managed fields also removes the closing brace.
  const whole = text.endsWith("}") ? text : `${text.endsWith(",") ? text.slice(0, -1) : text}}`;
  return parseJson(whole) as ObjectMeta; // this server's codec printed it
}

/**
 * The body up to its managed fields. They are the last member of `metadata`, which comes first; inside a string there is no unescaped
 * quote.
 */
export function beforeManagedFields({ body }: StoredObject<ApiObject>): Buffer {
  // With another encoding, the text would be converted for each search, which takes longer than the search itself.
  const end = body.indexOf(managedFieldsText, 0, "latin1");
  return end < 0 ? body : body.subarray(0, end);
}
