import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import type { LabelSelector } from "../gen/meta-v1.js";

/** Unlike `labelSelectorText`, empty for a selector without requirements. */
export function selectorCell(selector: LabelSelector | undefined): string {
  try {
    return labelSelectorFromObject(selector).toString();
  } catch {
    return "<invalid>";
  }
}
