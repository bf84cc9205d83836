import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import type { LabelSelectorObject } from "../../apimachinery/validation/label-selector.js";

/** A selector as tables print it: `<none>` without requirements, `<error>` when invalid. */
export function labelSelectorText(selector: LabelSelectorObject | undefined): string {
  try {
    const text = labelSelectorFromObject(selector).toString();
    return text === "" ? "<none>" : text;
  } catch {
    return "<error>";
  }
}
