import { badRequest } from "../../apimachinery/errors/status.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { BodySettings } from "./body-settings.js";
import type { BodyOptions } from "./parse-body.js";
import { duplicateField, sortedUnknownFields, strictErrorsInOrder, unknownField } from "./strict-errors.js";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** How to treat unknown and duplicate fields; the option is already validated. */
export function fieldValidationOf(
  query: QueryParameters,
  settings: Pick<BodySettings, "serverSideFieldValidation" | "ignoresFieldValidation">,
): FieldValidation {
  if (settings.ignoresFieldValidation) return "Ignore";
  const text = query.get("fieldValidation") ?? "";
  if (text === "") return settings.serverSideFieldValidation ? "Warn" : "Ignore";
  if (text === "Ignore" || text === "Warn" || text === "Strict") return text;
  return "Ignore";
}

/** The longest useful list of problems; Kubernetes' limit. */
export const reportsMax = 100;

/** Collects what decoding dropped from a body, and reports it at the end. */
export class FieldReports {
  readonly active: boolean;
  readonly #validation: FieldValidation;
  readonly #isCustom: boolean;
  readonly #unknown = new Set<string>();
  readonly #duplicates = new Set<string>();
  /** One line of text for each duplicate key in YAML. */
  readonly #duplicateKeys: string[] = [];

  /** `isCustom`: for custom resources, Kubernetes reports all duplicates first, then the unknown fields, sorted. */
  constructor(validation: FieldValidation, isCustom = false) {
    this.#validation = validation;
    this.#isCustom = isCustom;
    this.active = validation !== "Ignore";
  }

  /** For parsing the body; undefined when nothing is reported. */
  get bodyOptions(): BodyOptions | undefined {
    if (!this.active) return undefined;
    return {
      onDuplicateField: (path) => this.#duplicates.add(path),
      onDuplicateKey: (key, line) =>
        this.#duplicateKeys.push(`line ${line}: key ${JSON.stringify(key)} already set in map`),
    };
  }

  readonly unknown = (path: string): void => {
    this.#unknown.add(path);
  };

  /** Throws 400 in `Strict`, in the words of `refuse`; in `Warn` adds warnings to the answer. */
  finish(request: Pick<ApiRequest, "warn" | "body">, refuse: (errors: string) => Error): void {
    const errors = this.#errors(request);
    if (this.#validation === "Strict") {
      if (this.#duplicateKeys.length > 0) errors.unshift(yamlErrors(this.#duplicateKeys));
      if (errors.length > 0) throw refuse(errors.slice(0, reportsMax).join(", "));
    }
    warnOf(request, this.#duplicateKeys);
    warnOf(request, errors);
  }

  /** Like `finish`, for apply, which always refuses unknown fields. */
  finishConfiguration(request: Pick<ApiRequest, "warn">): void {
    if (this.#duplicateKeys.length === 0) return;
    if (this.#validation === "Strict") {
      throw badRequest(`error strict decoding YAML: ${yamlErrors(this.#duplicateKeys)}`);
    }
    warnOf(request, this.#duplicateKeys);
  }

  #errors(request: Pick<ApiRequest, "body">): string[] {
    if (this.#isCustom) {
      return [...[...this.#duplicates].map(duplicateField), ...sortedUnknownFields(this.#unknown)];
    }
    if (this.#duplicates.size === 0) return [...this.#unknown].slice(0, reportsMax).map(unknownField);
    return [...strictErrorsInOrder(request.body.bytes, this.#unknown, this.#duplicates)];
  }
}

function yamlErrors(lines: readonly string[]): string {
  return ["yaml: unmarshal errors:", ...lines].join("\n  ");
}

export function warnOf(request: Pick<ApiRequest, "warn">, errors: readonly string[]): void {
  for (const error of errors.slice(0, reportsMax)) request.warn(error);
}
