import { cborOfJson, printCbor } from "../../apimachinery/cbor/print-cbor.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { ConvertedForms } from "../../registry/generic/converted-forms.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";

/** An object as CBOR: a document of its own, or an item of a list, which says its type only where JSON does. */
export type CborForm = "cbor" | "cborItem";

interface KeptForms {
  readonly cbor: ConvertedForms<StoredObject<ApiObject>, Buffer>;
  readonly cborItem: ConvertedForms<StoredObject<ApiObject>, Buffer>;
}

/** By view, because each shows objects in another version. */
const formsOfViews = new WeakMap<VersionedView<ApiObject>, KeptForms>();

function formsOf(view: VersionedView<ApiObject>): KeptForms {
  let forms = formsOfViews.get(view);
  if (forms === undefined) {
    forms = { cbor: new ConvertedForms(), cborItem: new ConvertedForms() };
    formsOfViews.set(view, forms);
  }
  return forms;
}

/** Made once for each object, while it is asked for. */
export function cborForm(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  form: CborForm,
): Buffer {
  return formsOf(view)[form].get(stored, () => made(view, stored, form));
}

export function isCborMade(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  form: CborForm,
): boolean {
  return formsOf(view)[form].known(stored) !== undefined;
}

/** Takes one that was made on another thread. */
export function keepCbor(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  form: CborForm,
  bytes: Buffer,
): void {
  formsOf(view)[form].keep(stored, bytes);
}

function made(view: VersionedView<ApiObject>, stored: StoredObject<ApiObject>, form: CborForm): Buffer {
  const body = view.body(stored);
  if (form === "cbor") return cborOfJson(Buffer.concat([view.objectHead, body]));
  const head = view.statesType ? view.objectHead : openingBrace;
  return printCbor(parseJson(Buffer.concat([head, body])));
}

const openingBrace = Buffer.from("{");
