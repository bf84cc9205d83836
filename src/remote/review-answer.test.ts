import { expect, test } from "vitest";
import { parseJson } from "../apimachinery/json/json-parse.js";
import { printedKind, reviewOfAnswer } from "./review-answer.js";

const read = (body: string, headers = {}) =>
  reviewOfAnswer({ status: 200, headers, body: Buffer.from(body) }, parseJson);

const parseError = "couldn't get version/kind; json parse error:";
const typeMeta =
  'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

test.each([
  ["", "0-length response with status code: 200 and content type: application/json"],
  ['{"kind":', `${parseError} unexpected end of JSON input`],
  [" {]", `${parseError} invalid character ']' looking for beginning of object key string`],
  ["go away", `${parseError} json: cannot unmarshal string into ${typeMeta}`],
  ["[]", `${parseError} json: cannot unmarshal array into ${typeMeta}`],
])("the answer %j is refused in the words of Kubernetes", async (body, message) => {
  await expect(read(body)).rejects.toThrow(message);
});

test("an empty answer is told with its content type", async () => {
  await expect(read("", { "content-type": "text/html" })).rejects.toThrow(/and content type: text\/html$/);
});

test("an object is a review", async () => {
  expect(await read('{"kind":"A"}')).toEqual({ kind: "A" });
});

test.each([
  [{ apiVersion: "a.example.com/v1", kind: "A" }, "a.example.com/v1, Kind=A"],
  [{ apiVersion: "v1", kind: "Pod" }, "/v1, Kind=Pod"],
  [{}, "/, Kind="],
])("%j is of the kind %s", (object, text) => {
  expect(printedKind(object)).toBe(text);
});
