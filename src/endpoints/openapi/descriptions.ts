import { fieldDescriptions } from "./descriptions/fields.js";
import { typeDescriptions } from "./descriptions/types.js";

/** What is said of types and fields. The tables are made with it, and go when it goes. */
export class Descriptions {
  readonly #types = typeDescriptions();
  readonly #fields = fieldDescriptions();

  /** One line about a type, by its full name `core/v1.Pod`. */
  ofType(typeName: string): string {
    const name = shortName(typeName);
    return this.#types[name] ?? fromName(name);
  }

  /** A few words about a field by its neutral name; undefined when there are none. */
  ofField(typeName: string, field: string): string | undefined {
    return this.#fields[shortName(typeName)]?.[field] ?? this.#fields["*"]?.[field];
  }
}

function shortName(typeName: string): string {
  return typeName.slice(typeName.lastIndexOf(".") + 1);
}

const endings: readonly (readonly [ending: string, text: (stem: string) => string])[] = [
  ["List", (stem) => `A list of ${stem} objects.`],
  ["Spec", (stem) => `What is wanted of a ${stem}.`],
  ["Status", (stem) => `What was last observed of a ${stem}.`],
  ["Condition", (stem) => `One aspect of the state of a ${stem}.`],
  ["Source", (stem) => `Where a ${stem} comes from.`],
];

/** What can be told by the name alone. */
function fromName(typeName: string): string {
  const found = endings.find(([ending]) => typeName.endsWith(ending) && typeName !== ending);
  return found === undefined ? `${typeName}.` : found[1](typeName.slice(0, -found[0].length));
}
