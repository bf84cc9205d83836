import type { TypeDescriptions } from "../../apimachinery/schema/type-descriptions.js";

/**
 * Descriptions of types and fields. The texts are separate modules: a server whose documents nobody requests never loads them, and the
 * documents of custom resources need few.
 */
export class Descriptions {
  #packages: Readonly<Record<string, TypeDescriptions>> = {};

  /** `common` are the packages whose types every document may use. */
  async load(which: "common" | "all"): Promise<void> {
    if (which === "all") this.#packages = (await import("../../apis/type-descriptions.js")).typeDescriptions;
    else if (Object.keys(this.#packages).length === 0)
      this.#packages = (await import("../../apis/common-type-descriptions.js")).commonTypeDescriptions;
  }

  /** One line about a type, by its full name `core/v1.Pod`. */
  ofType(typeName: string): string {
    const { packageName, name } = splitName(typeName);
    return this.#packages[packageName]?.[name]?.about ?? fromName(name);
  }

  /** A few words about a field by its neutral name; undefined when there are none. */
  ofField(typeName: string, field: string): string | undefined {
    const { packageName, name } = splitName(typeName);
    return this.#packages[packageName]?.[name]?.fields?.[field] ?? sharedFields[field];
  }
}

function splitName(typeName: string): { packageName: string; name: string } {
  const dot = typeName.lastIndexOf(".");
  return { packageName: typeName.slice(0, dot), name: typeName.slice(dot + 1) };
}

/** Conformance tests match the beginning. */
export const metadataDescription = "Standard object's metadata: its name, labels and the like.";

/** Default descriptions for fields of these names in every type. */
export const sharedFields: Readonly<Record<string, string>> = {
  items: "The objects of the list.",
  lastTransitionTime: "When the condition last changed from one status to another.",
  metadata: metadataDescription,
};

const endings: readonly (readonly [ending: string, text: (stem: string) => string])[] = [
  ["List", (stem) => `A list of ${stem} objects.`],
  ["Spec", (stem) => `What is wanted of the ${stem}.`],
  ["Status", (stem) => `What was last observed of the ${stem}.`],
  ["Condition", (stem) => `One aspect of the state of the ${stem}.`],
];

/** A description made from the name alone. */
function fromName(typeName: string): string {
  const found = endings.find(([ending]) => typeName.endsWith(ending) && typeName !== ending);
  return found === undefined ? `${typeName}.` : found[1](typeName.slice(0, -found[0].length));
}
