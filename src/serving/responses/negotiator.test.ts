import fc from "fast-check";
import { expect, test } from "vitest";
import { StatusError } from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { Negotiator, objectOffer, plainOffer, prettyAsked } from "./negotiator.js";

const own = createNaming("orch");
const other = createNaming("kubernetes");
const protobuf = own.protobufMediaType;
const otherProtobuf = other.protobufMediaType;
const meta = own.group("meta");
const otherMeta = other.group("meta");

const offers = {
  object: objectOffer({ protobuf: true, table: true, stream: false }),
  watch: objectOffer({ protobuf: true, table: true, stream: true }),
  extension: objectOffer({ protobuf: false, table: true, stream: false }),
  extensionWatch: objectOffer({ protobuf: false, table: true, stream: true }),
  noTable: objectOffer({ protobuf: true, table: false, stream: false }),
  plain: plainOffer,
};
type OfferName = keyof typeof offers;

/** `406`, or representation, content type and transform. */
function outcome(accept: string | undefined, offer: OfferName): string {
  try {
    const { representation, contentType, transform } = new Negotiator(own).negotiate(accept, offers[offer]);
    const as = transform && ` as ${transform.kind} ${transform.group}/${transform.version}`;
    return `${representation} ${contentType}${as ?? ""}`;
  } catch (error) {
    if (error instanceof StatusError) return `${error.code}`;
    throw error;
  }
}

const table = `application/json;as=Table;g=${meta};v=v1`;
const kubectl = `application/json;as=Table;v=v1;g=${otherMeta},application/json;as=Table;v=v1beta1;g=${otherMeta},application/json`;

test.each<[OfferName, string | undefined, string]>([
  // No preference means JSON.
  ["object", undefined, "json application/json"],
  ["object", "", "json application/json"],
  ["object", "*/*", "json application/json"],
  ["object", "application/*", "406"],
  ["plain", "application/*", "json application/json"],
  ["object", "application/*,*/*;q=0.1", "json application/json"],
  ["object", "*", "json application/json"],
  ["object", "text/html, application/xhtml+xml, */*;q=0.8", "json application/json"],
  ["object", "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "json application/json"],
  // By name, in any case, in either profile's words; the answer uses the name from the request.
  ["object", "application/json", "json application/json"],
  ["object", "APPLICATION/JSON; charset=utf-8", "json application/json"],
  ["object", "application/yaml", "yaml application/yaml"],
  ["object", protobuf, `protobuf ${protobuf}`],
  ["object", otherProtobuf, `protobuf ${otherProtobuf}`],
  // The client's order, then quality, then wildcards last.
  ["object", `${protobuf},application/json`, `protobuf ${protobuf}`],
  ["object", `application/json,${protobuf}`, "json application/json"],
  ["object", `application/json;q=0.5,${protobuf}`, `protobuf ${protobuf}`],
  ["object", "application/json;q=0.1,application/yaml;q=0.2", "yaml application/yaml"],
  ["object", "*/*,application/yaml", "yaml application/yaml"],
  ["object", "application/*,application/yaml", "yaml application/yaml"],
  ["object", "*/*;q=1,application/yaml;q=0.1", "json application/json"],
  ["object", "application/json;q=0,application/yaml", "yaml application/yaml"],
  ["object", "application/json;q=0", "json application/json"],
  ["object", "*/*;q=0", "json application/json"],
  ["object", "application/yaml;q=0,application/json;q=0.1", "json application/json"],
  // One name is enough for the router, and wildcards count from there on.
  ["object", "application/*", "406"],
  ["object", "*/json", "406"],
  ["object", "application/yaml;q=0,application/*", "json application/json"],
  ["object", "application/yaml;q=0.5,application/*", "json application/json"],
  ["object", "text/plain,application/*", "406"],
  ["object", "text/plain", "406"],
  ["object", "rubbish", "406"],
  ["object", ",,;", "406"],
  ["object", "text/plain,application/yaml", "yaml application/yaml"],
  // Only tables and metadata.
  ["object", table, `json application/json as Table ${meta}/v1`],
  ["object", kubectl, `json application/json as Table ${otherMeta}/v1`],
  ["object", `application/yaml;as=Table;g=${meta};v=v1`, `yaml application/yaml as Table ${meta}/v1`],
  ["object", `${protobuf};as=Table;g=${meta};v=v1`, "406"],
  ["object", `${protobuf};as=Table;g=${meta};v=v1,${table}`, `json application/json as Table ${meta}/v1`],
  ["object", `application/json;as=Table;g=${meta};v=v2`, "406"],
  ["object", "application/json;as=Table;g=example.org;v=v1", "406"],
  ["object", "application/json;as=Table", "406"],
  ["object", `application/json;as=Other;g=${meta};v=v1`, "406"],
  ["object", `application/json;g=${meta};v=v1,application/json`, "json application/json"],
  ["noTable", table, "406"],
  ["noTable", kubectl, "json application/json"],
  ["plain", kubectl, "json application/json"],
  ["plain", table, "406"],
  [
    "object",
    `${protobuf};as=PartialObjectMetadataList;g=${meta};v=v1beta1`,
    `protobuf ${protobuf} as PartialObjectMetadataList ${meta}/v1beta1`,
  ],
  [
    "object",
    `*/*;as=PartialObjectMetadata;g=${meta};v=v1`,
    `json application/json as PartialObjectMetadata ${meta}/v1`,
  ],
  // Streams.
  ["watch", "application/json", "json application/json"],
  ["watch", "application/json;stream=watch", "json application/json"],
  ["watch", protobuf, `protobuf ${protobuf};stream=watch`],
  ["watch", `${otherProtobuf};stream=watch`, `protobuf ${otherProtobuf};stream=watch`],
  ["watch", "application/yaml", "406"],
  ["watch", "application/json;stream=other", "406"],
  ["object", "application/json;stream=watch", "json application/json"],
  ["object", "application/yaml;stream=watch", "406"],
  ["object", "application/json;sv=v2", "406"],
  // Extension types have no protobuf.
  ["extension", protobuf, "406"],
  ["extension", `${protobuf},application/json`, "json application/json"],
  ["extension", kubectl, `json application/json as Table ${otherMeta}/v1`],
  ["extensionWatch", protobuf, "406"],
  // Only the metadata of these has a protobuf form.
  [
    "extension",
    `${protobuf};as=PartialObjectMetadata;g=${meta};v=v1`,
    `protobuf ${protobuf} as PartialObjectMetadata ${meta}/v1`,
  ],
  [
    "extensionWatch",
    `${protobuf};as=PartialObjectMetadata;g=${meta};v=v1`,
    `protobuf ${protobuf};stream=watch as PartialObjectMetadata ${meta}/v1`,
  ],
])("%s for %s → %s", (offer, accept, expected) => {
  expect(outcome(accept, offer)).toBe(expected);
});

const objectTypes = `application/json, application/yaml, ${protobuf}`;
const streamTypes = `application/json;stream=watch, ${protobuf};stream=watch`;

test.each<[OfferName, accept: string, string]>([
  ["object", "application/json;as=Other", objectTypes],
  ["watch", "application/json;stream=other", objectTypes],
  ["watch", "application/yaml", streamTypes],
  ["extension", "text/plain", objectTypes],
  ["extensionWatch", "text/plain", objectTypes],
  ["extensionWatch", "application/yaml", streamTypes],
])("a 406 for %s to %s lists what there is", (offer, accept, list) => {
  expect(() => new Negotiator(own).negotiate(accept, offers[offer])).toThrow(
    `only the following media types are accepted: ${list}`,
  );
});

test.each<[OfferName, ApiLevel | undefined, string]>([
  ["object", "1.24", ""],
  ["object", "1.25", `\n\nAvailable representations: ${objectTypes}`],
  ["watch", undefined, `\n\nAvailable representations: ${objectTypes}, ${streamTypes}`],
])("the router of %s at %s refuses names that it does not know", (offer, level, list) => {
  const negotiator = new Negotiator(own, level && { level });
  for (const accept of ["text/plain", "application/*", "application/json-seq"]) {
    expect(() => negotiator.negotiate(accept, offers[offer])).toThrow(`406: Not Acceptable${list}`);
  }
});

test("the answer names a wildcard's protobuf as this server does", () => {
  const onlyProtobuf = { ...offers.object, representations: ["protobuf"] } as const;
  expect(new Negotiator(other).negotiate("*/*", onlyProtobuf).contentType).toBe(otherProtobuf);
});

test("parameters reach the endpoint", () => {
  const { parameters, pretty } = new Negotiator(own).negotiate(
    'application/json;Profile="a;b,\\"c";pretty=1',
    plainOffer,
  );
  expect(parameters.get("profile")).toBe('a;b,"c');
  expect(pretty).toBe(true);
});

test("negotiated results are cached for each offer separately, and many headers do no harm", () => {
  const negotiator = new Negotiator(own);
  for (let i = 0; i < 200; i++) negotiator.negotiate(`text/x-${i},application/yaml`, offers.object);
  const first = negotiator.negotiate("application/yaml", offers.object);
  expect(negotiator.negotiate("application/yaml", offers.object)).toBe(first);
  expect(() => negotiator.negotiate("application/yaml", offers.watch)).toThrow();
});

test("a long header is not kept", () => {
  const negotiator = new Negotiator(own);
  const long = `${"a*/*;q=0.1,".repeat(100)}application/yaml`;
  const first = negotiator.negotiate(long, offers.object);
  expect(first.representation).toBe("yaml");
  expect(negotiator.negotiate(long, offers.object)).not.toBe(first);
});

test("no header makes negotiation fail in another way than 406", () => {
  const piece = fc.constantFrom(
    "application",
    "/",
    "json",
    "*",
    ";",
    ",",
    "q",
    "=",
    "0.5",
    '"',
    "\\",
    " ",
    "as",
    "Table",
    "\u00e9",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(outcome(pieces.join(""), "object")).toMatch(/^(406|json |yaml |protobuf )/);
    }),
  );
});

test.each([
  ["", undefined, false],
  ["", "kubectl/v1.23", false],
  ["", "curl/7.81", true],
  ["", "Wget/1.21", true],
  ["", "Mozilla/5.0 (X11)", true],
  ["pretty=true", "kubectl", true],
  ["limit=1&pretty=1", undefined, true],
  ["pretty=false", "curl/7.81", false],
  ["pretty=0", "curl/7.81", false],
  ["pretty=rubbish", "curl/7.81", false],
  ["pretty", "curl/7.81", true],
  ["pretty=", undefined, false],
])("pretty-printed for ?%s from %s: %s", (query, userAgent, expected) => {
  expect(prettyAsked(query, userAgent)).toBe(expected);
});
