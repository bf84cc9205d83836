import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";

type Objects = Pick<AdmissionAttributes, "object" | "oldObject" | "forms">;

/** A request's objects as sent to webhooks, as JSON: printed and encoded once per version, and again after a change. */
export class ReviewTexts {
  readonly #objects: Objects;
  readonly #texts = new Map<string, Promise<Buffer>>();
  readonly #oldTexts = new Map<string, Promise<Buffer>>();

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** Undefined for a request without an object. */
  object(kind: GroupVersionKind): Promise<Buffer> | undefined {
    return this.#print(this.#texts, this.#objects.object, kind);
  }

  oldObject(kind: GroupVersionKind): Promise<Buffer> | undefined {
    return this.#print(this.#oldTexts, this.#objects.oldObject, kind);
  }

  /** Call it when the object has changed. */
  changed(): void {
    this.#texts.clear();
  }

  #print(
    texts: Map<string, Promise<Buffer>>,
    object: ApiObject | undefined,
    kind: GroupVersionKind,
  ): Promise<Buffer> | undefined {
    if (object === undefined) return undefined;
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    let text = texts.get(key);
    if (text === undefined) {
      text = this.#encode(object, kind);
      texts.set(key, text);
    }
    return text;
  }

  async #encode(object: ApiObject, kind: GroupVersionKind): Promise<Buffer> {
    return Buffer.from(await this.#objects.forms.print(object, kind));
  }
}
