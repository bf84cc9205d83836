import { expect, test } from "vitest";
import {
  bodyBounds,
  protobufBounds,
  quantitiesMax,
  readBounded,
  schemasMax,
} from "../../apimachinery/requests/bounded-json.js";
import { testApiContext } from "../../apis/testing/api-context.js";

const context = testApiContext();
const { valuesMax, membersMax } = bodyBounds;
const limitMessage = `Request entity too large: limit is ${valuesMax} fields and items, ${membersMax} of them in one object or list`;

test("a protobuf body of too many values is not read to its end", () => {
  // Map entries of two empty strings: `data`, field 2 of a config map.
  const entries = (count: number) => Buffer.alloc(2 * count, Buffer.from([0x12, 0x00]));
  const codec = context.schemas.codec("core/v1.ConfigMap");
  const read = (count: number) => readBounded(() => codec.fromProto(entries(count), protobufBounds));
  expect(read(1000)).toEqual({ metadata: {}, data: { "": "" } });
  expect(() => read(1_000_000)).toThrow(limitMessage);
  expect(() => codec.fromProto(entries(1_000_000))).not.toThrow();
});

test("a body of too many quantities is refused, however it is written", () => {
  const codec = context.schemas.codec("core/v1.LimitRange");
  const max = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`r${i}`, "1"]));
  const range = (count: number) => ({ spec: { limits: [{ type: "Pod", max: max(count) }] } });
  const few = codec.fromJson(range(quantitiesMax), { quantitiesMax });
  expect(codec.fromProto(codec.toProto(few), protobufBounds)).toEqual(few);
  const many = range(quantitiesMax + 1);
  const bytes = codec.toProto(codec.fromJson(many));
  const message = `Request entity too large: limit is ${quantitiesMax} quantities`;
  expect(() => readBounded(() => codec.fromJson(many, { quantitiesMax }))).toThrow(message);
  expect(() => readBounded(() => codec.fromProto(bytes, protobufBounds))).toThrow(message);
  const strict = { quantitiesMax, onUnknownField: () => undefined };
  expect(() => readBounded(() => codec.fromJson({ ...many, unknown: 1 }, strict))).toThrow(message);
});

test("a definition of too many schemas is refused", () => {
  const codec = context.schemas.codec<object>("apiextensions/v1.JSONSchemaProps");
  // The root is one of them.
  const of = (count: number) => ({
    properties: Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`a${i}`, {}])),
  });
  const decode = (count: number) => readBounded(() => codec.fromJson(of(count), { schemasMax }));
  expect(decode(schemasMax)).toBeDefined();
  expect(() => decode(schemasMax + 1)).toThrow(`Request entity too large: limit is ${schemasMax} schemas`);
});
