import type { ObjectAttributes, ObjectCodec } from "../object-store.js";

type Attributes = Readonly<Record<string, string>>;

const none: Attributes = Object.freeze({});
const recordsMax = 1024;
const valuesMax = 4096;
/** Characters. Longer records hardly ever repeat. */
const recordLengthMax = 1024;
const valueLengthMax = 256;

/**
 * The same codec, but equal labels share one record and equal field values one string: the pods of a workload differ in little but their
 * names. Limited in number and length: values that do not repeat are soon dropped. Never returns a record that belongs to an object.
 */
export function withSharedAttributes<T>(codec: ObjectCodec<T>): ObjectCodec<T> {
  const records = new Map<string, Attributes>();
  const values = new Map<string, string>();

  const sharedValue = (value: string): string => {
    if (value.length > valueLengthMax) return value;
    const known = values.get(value);
    if (known !== undefined) return known;
    if (values.size >= valuesMax) values.clear();
    values.set(value, value);
    return value;
  };

  const sharedLabels = (labels: Attributes): Attributes => {
    let id = "";
    for (const name in labels) id += `${name}\0${labels[name]}\0`;
    if (id === "") return none;
    const isShort = id.length <= recordLengthMax;
    const known = isShort ? records.get(id) : undefined;
    if (known !== undefined) return known;
    const copy: Record<string, string> = {};
    for (const name in labels) copy[name] = sharedValue(labels[name] ?? "");
    if (isShort) {
      if (records.size >= recordsMax) records.clear();
      records.set(id, copy);
    }
    return copy;
  };

  const sharedFields = (fields: Attributes): Attributes => {
    const copy: Record<string, string> = {};
    for (const name in fields) {
      const value = fields[name] ?? "";
      copy[name] = name === "metadata.name" || name === "metadata.uid" ? value : sharedValue(value);
    }
    return copy;
  };

  return {
    toStorage: (object) => codec.toStorage(object),
    fromStorage: (bytes) => codec.fromStorage(bytes),
    preparation: () => codec.preparation?.(),
    toBody: (object) => codec.toBody(object),
    storedWrapper: codec.storedWrapper,
    fromBody: (body) => codec.fromBody(body),
    attributes(object): ObjectAttributes {
      const { labels, fields } = codec.attributes(object);
      return { labels: sharedLabels(labels), fields: sharedFields(fields) };
    },
    getResourceVersion: (object) => codec.getResourceVersion(object),
    setResourceVersion: (object, resourceVersion) => codec.setResourceVersion(object, resourceVersion),
  };
}
