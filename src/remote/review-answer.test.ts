import { expect, test } from "vitest";
import { parseJson } from "../apimachinery/json/json-parse.js";
import { builtinTypes } from "../apis/builtin-types.js";
import type { AdmissionReview } from "../apis/gen/admission-v1.js";
import { createNaming } from "../naming/naming.js";
import { RemoteError } from "./remote-error.js";
import { printedKind, reviewOfAnswer } from "./review-answer.js";

const typeMeta = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
const codec = builtinTypes(createNaming("kubernetes")).codec<AdmissionReview>("admission/v1.AdmissionReview");

const read = (body: string, headers = {}) =>
  reviewOfAnswer({ status: 200, headers, body: Buffer.from(body) }, { typeMeta, codec }, parseJson);

const parseError = "couldn't get version/kind; json parse error:";
const goTypeMeta =
  'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

test.each([
  ["", "0-length response with status code: 200 and content type: application/json"],
  ['{"kind":', `${parseError} unexpected end of JSON input`],
  [" {]", `${parseError} invalid character ']' looking for beginning of object key string`],
  ["go away", `${parseError} json: cannot unmarshal string into ${goTypeMeta}`],
  ["[]", `${parseError} json: cannot unmarshal array into ${goTypeMeta}`],
])("the answer %j is refused in the words of Kubernetes", async (body, message) => {
  await expect(read(body)).rejects.toThrow(message);
});

test("an empty answer is told with its content type", async () => {
  await expect(read("", { "content-type": "text/html" })).rejects.toThrow(/and content type: text\/html$/);
});

test("an object is a review, and may leave out its type", async () => {
  const stated = { apiVersion: "", kind: "" };
  expect(await read("{}")).toEqual({ review: {}, stated });
  expect(await read("null")).toEqual({ review: {}, stated });
  expect(await read('{"kind":null,"response":null}')).toEqual({ review: {}, stated });
  expect(await read(JSON.stringify(typeMeta))).toEqual({ review: {}, stated: typeMeta });
});

test.each([
  [{ kind: 1 }, `${parseError} json: cannot unmarshal number into Go struct field .kind of type string`],
  [{ kind: "Pod" }, 'no kind "Pod" is registered for version "admission.k8s.io/v1"'],
  [{ apiVersion: "v1" }, 'no kind "AdmissionReview" is registered for version "v1"'],
  [{ apiVersion: "a/b/c" }, "unexpected GroupVersion string: a/b/c"],
  [
    { apiVersion: "admission.k8s.io/v1beta1" },
    "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
  ],
])("an answer that states the type %j is refused", async (type, message) => {
  await expect(read(JSON.stringify({ ...typeMeta, ...type }))).rejects.toThrow(
    new RemoteError("other", message),
  );
});

const mismatch = (what: string, field: string, type: string) =>
  `json: cannot unmarshal ${what} into Go struct field ${field} of type ${type}`;

test.each([
  ["yes", mismatch("string", "AdmissionReview.response", "v1.AdmissionResponse")],
  [{ allowed: "yes" }, mismatch("string", "AdmissionResponse.response.allowed", "bool")],
  [{ uid: 1 }, mismatch("number", "AdmissionResponse.response.uid", "types.UID")],
  [{ status: { code: "x" } }, mismatch("string", "Status.response.status.code", "int32")],
  [{ warnings: "x" }, mismatch("string", "AdmissionResponse.response.warnings", "[]string")],
  [
    { auditAnnotations: { a: 1 } },
    mismatch("number", "AdmissionResponse.response.auditAnnotations", "string"),
  ],
  [{ patch: "W10=!" }, "illegal base64 data at input byte 4"],
])("the response %j is refused", async (response, message) => {
  await expect(read(JSON.stringify({ ...typeMeta, response }))).rejects.toThrow(
    new RemoteError("other", message),
  );
});

test.each([
  [{ apiVersion: "a.example.com/v1", kind: "A" }, "a.example.com/v1, Kind=A"],
  [{ apiVersion: "v1", kind: "Pod" }, "/v1, Kind=Pod"],
  [{ apiVersion: "", kind: "" }, "/, Kind="],
])("%j is of the kind %s", (object, text) => {
  expect(printedKind(object)).toBe(text);
});
