import { fieldDescriptions } from "./descriptions/fields.js";
import { typeDescriptions } from "./descriptions/types.js";

/** One line about a type, by its full name `core/v1.Pod`. */
export function typeDescription(name: string): string {
  const dot = name.lastIndexOf(".");
  const typeName = name.slice(dot + 1);
  const own = typeDescriptions.get(name) ?? typeDescriptions.get(typeName);
  return own ?? fromName(typeName);
}

/** A few words about a field by its neutral name; undefined when there are none. */
export function fieldDescription(typeName: string, field: string): string | undefined {
  const dot = typeName.lastIndexOf(".");
  const short = typeName.slice(dot + 1);
  return fieldDescriptions.get(`${short}.${field}`) ?? fieldDescriptions.get(field);
}

/** What can be told by the name alone. */
function fromName(typeName: string): string {
  const endings: readonly (readonly [ending: string, text: (stem: string) => string])[] = [
    ["List", (stem) => `A list of ${stem} objects.`],
    ["Spec", (stem) => `What is wanted of a ${stem}.`],
    ["Status", (stem) => `What was last observed of a ${stem}.`],
    ["Condition", (stem) => `One aspect of the state of a ${stem}.`],
    ["Options", (stem) => `Query options of ${stem}.`],
    ["Reference", (stem) => `Names a ${stem}.`],
    ["Source", (stem) => `Where a ${stem} comes from.`],
  ];
  for (const [ending, text] of endings) {
    if (typeName.endsWith(ending) && typeName !== ending) return text(typeName.slice(0, -ending.length));
  }
  return `${typeName}.`;
}
