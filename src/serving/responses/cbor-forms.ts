import { headBytes, majorTypes, selfDescribed } from "../../apimachinery/cbor/cbor-format.js";
import { cborOfJson, cborText, printCbor } from "../../apimachinery/cbor/print-cbor.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { binaryMembers } from "../../apimachinery/schema/binary-members.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";
import { madeForm, type ViewForm } from "./form-cache.js";
import { metadataJson, partialKind } from "./partial-metadata.js";

/** An object as CBOR: a document of its own, or an item of a list, which states its type only where JSON does; or only its metadata. */
export const cborForms = {
  cbor: (view, stored) =>
    cborOfJson(Buffer.concat([view.objectHead, view.body(stored)]), binaryMembers(view.version.codec.schema)),
  cborItem(view, stored) {
    const head = view.statesType ? view.objectHead : openingBrace;
    const json = parseJson(Buffer.concat([head, view.body(stored)]));
    return printCbor(json, binaryMembers(view.version.codec.schema));
  },
  cborMetadata: (view, stored) => printCbor(parseJson(metadataJson(view, stored))),
} satisfies Record<string, ViewForm>;
export type CborForm = keyof typeof cborForms;

/** Made once for each object, while it is in demand. */
export function cborForm(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  form: CborForm,
): Buffer {
  return madeForm(view, stored, form, cborForms[form]);
}

/** An object's metadata, as `PartialObjectMetadata`. */
export function cborPartial(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  apiVersion: string,
): Buffer {
  return Buffer.concat([
    headBytes(majorTypes.map, 3),
    ...[cborText("kind"), cborText(partialKind)],
    ...[cborText("metadata"), cborForm(view, stored, "cborMetadata")],
    ...[cborText("apiVersion"), cborText(apiVersion)],
  ]);
}

/** A row of a table: its cells (`TablePrinter.cells`), and its object. */
export function cborRow(cells: string, object: Buffer): Buffer {
  const row = parseJson(`{${cells}null}`);
  if (!isJsonObject(row)) throw new Error("a row must be a JSON object");
  const { conditions } = row;
  return Buffer.concat([
    headBytes(majorTypes.map, conditions === undefined ? 2 : 3),
    ...[cborText("cells"), printCbor(row.cells ?? null)],
    ...[cborText("object"), object],
    ...(conditions === undefined ? [] : [cborText("conditions"), printCbor(conditions)]),
  ]);
}

/** A document as a part of another one, without its self-describing tag. */
export function withoutTag(document: Buffer): Buffer {
  return document.subarray(selfDescribed.length);
}

const openingBrace = Buffer.from("{");
