import type { TypeDescriptions } from "./descriptions/type-descriptions.js";

/** What is said of types and fields. */
export class Descriptions {
  readonly #groups: Readonly<Record<string, TypeDescriptions>>;
  readonly #sharedFields: Readonly<Record<string, string>>;

  constructor(
    groups: Readonly<Record<string, TypeDescriptions>>,
    sharedFields: Readonly<Record<string, string>>,
  ) {
    this.#groups = groups;
    this.#sharedFields = sharedFields;
  }

  /** One line about a type, by its full name `core/v1.Pod`. */
  ofType(typeName: string): string {
    const { group, name } = splitName(typeName);
    return this.#groups[group]?.[name]?.about ?? fromName(name);
  }

  /** A few words about a field by its neutral name; undefined when there are none. */
  ofField(typeName: string, field: string): string | undefined {
    const { group, name } = splitName(typeName);
    return this.#groups[group]?.[name]?.fields?.[field] ?? this.#sharedFields[field];
  }
}

/** The words are a module of their own: a server whose documents nobody asks for never reads them. */
export async function loadDescriptions(): Promise<Descriptions> {
  const [{ describedGroups }, { sharedFields }] = await Promise.all([
    import("./descriptions/described-groups.js"),
    import("./descriptions/shared-fields.js"),
  ]);
  return new Descriptions(describedGroups, sharedFields);
}

function splitName(typeName: string): { group: string; name: string } {
  return {
    group: typeName.slice(0, typeName.indexOf("/")),
    name: typeName.slice(typeName.lastIndexOf(".") + 1),
  };
}

const endings: readonly (readonly [ending: string, text: (stem: string) => string])[] = [
  ["List", (stem) => `A list of ${stem} objects.`],
  ["Spec", (stem) => `What is wanted of the ${stem}.`],
  ["Status", (stem) => `What was last observed of the ${stem}.`],
  ["Condition", (stem) => `One aspect of the state of the ${stem}.`],
];

/** What can be told by the name alone. */
function fromName(typeName: string): string {
  const found = endings.find(([ending]) => typeName.endsWith(ending) && typeName !== ending);
  return found === undefined ? `${typeName}.` : found[1](typeName.slice(0, -found[0].length));
}
