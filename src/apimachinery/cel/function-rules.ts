import type { FunctionRules } from "./cel-function.js";
import { callEstimates } from "./estimated-cost.js";

export const perText = 0.1;
/** Of a text that is taken apart. */
export const perPoint = 2;
export const perPart = 2;
/** The cost of scanning the first argument, or all of them. */
export const walk: FunctionRules = { cost: ([size = 0]) => 1 + size * perText };
const walkAll: FunctionRules = { cost: (sizes) => 1 + sum(sizes) * perText };
export const eachElement: FunctionRules = { cost: ([size = 0]) => 1 + size, estimate: callEstimates.walk };
export const joining: FunctionRules = { ...eachElement, estimate: callEstimates.join };
export const transform: FunctionRules = { ...walk, estimate: callEstimates.transform };
export const quoting: FunctionRules = { ...walk, estimate: callEstimates.quote };
export const replacing: FunctionRules = { ...walkAll, estimate: callEstimates.replace };
export const split: FunctionRules = { ...walk, estimate: callEstimates.split };
export const joinTexts: FunctionRules = { ...walkAll, estimate: callEstimates.joinTexts };

export function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

export const search: FunctionRules = {
  cost: ([text = 0, part = 0]) => 1 + Math.ceil(text * perText) * Math.ceil(part * perText),
};
export const searchText: FunctionRules = { ...search, estimate: callEstimates.walk };
export const matching: FunctionRules = {
  cost: ([text = 0, pattern = 0]) => 1 + Math.ceil((text + 1) * perText) * Math.ceil(pattern * 0.25),
};
export const finding: FunctionRules = { ...matching, estimate: callEstimates.find };

export const comparing: FunctionRules = {
  cost: (sizes) => 1 + Math.min(...sizes) * perText,
  estimate: callEstimates.compare,
};
