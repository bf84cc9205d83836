import { badRequest } from "../apimachinery/status.js";
import type { ApiRequest } from "./api-request.js";
import type { EndpointSettings } from "./resource-endpoint.js";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** What the client asks to be done about unknown and duplicate fields; other words were refused with the options. */
export function fieldValidationOf(query: URLSearchParams, settings: EndpointSettings): FieldValidation {
  const text = query.get("fieldValidation") ?? "";
  if (text === "") return settings.serverSideFieldValidation ? "Warn" : "Ignore";
  if (text === "Ignore" || text === "Warn" || text === "Strict") return text;
  return "Ignore";
}

/** The longest list of complaints that is worth a client's while. */
const reportsMax = 100;

/** Collects what decoding dropped, and answers for it at the end. */
export class FieldReports {
  readonly active: boolean;
  readonly #validation: FieldValidation;
  readonly #texts = new Set<string>();

  constructor(validation: FieldValidation) {
    this.#validation = validation;
    this.active = validation !== "Ignore";
  }

  readonly unknown = (path: string): void => {
    if (isTypeField(path)) return;
    this.#add(`unknown field ${JSON.stringify(path)}`);
  };

  readonly duplicate = (path: string): void => {
    this.#add(`duplicate field ${JSON.stringify(path)}`);
  };

  /** Throws 400 in `Strict`; in `Warn` the answer carries the warnings. */
  finish(request: Pick<ApiRequest, "warn">, type: { readonly kind: string; readonly version: string }): void {
    if (this.#texts.size === 0) return;
    const texts = [...this.#texts];
    if (this.#validation === "Strict") {
      throw badRequest(
        `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: strict decoding error: ${texts.join(", ")}`,
      );
    }
    for (const text of texts) request.warn(text);
  }

  #add(text: string): void {
    if (this.#texts.size < reportsMax) this.#texts.add(text);
  }
}

function isTypeField(path: string): boolean {
  return path === "kind" || path === "apiVersion";
}
