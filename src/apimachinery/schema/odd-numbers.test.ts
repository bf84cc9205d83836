import { expect, test } from "vitest";
import { testApiContext } from "../../apis/testing/api-context.js";
import { parseJson } from "../json/json-parse.js";
import { DecodeError } from "./codec.js";

const { schemas } = testApiContext();

test.each([
  ["apps/v1.Deployment", '{"spec":{"replicas":VALUE}}'],
  ["core/v1.Service", '{"spec":{"ports":[{"port":1,"targetPort":VALUE}]}}'],
])("a 32-bit field of %s refuses what is no such number as a mistake of the body", (type, form) => {
  for (const value of [
    "9007199254740993",
    "-9007199254740993",
    '{"toString":1}',
    '{"valueOf":null}',
    "[]",
    "1.5",
  ]) {
    const body = parseJson(Buffer.from(form.replace("VALUE", value)));
    expect(() => schemas.codec(type).fromJson(body), value).toThrow(DecodeError);
  }
});
