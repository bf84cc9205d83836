import { expect, test } from "vitest";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import { customColumns } from "./columns.js";

const now = new Date("2024-05-01T12:00:00Z");
const boats = { apiVersion: "example.com/v1", kind: "Boat" };
const object = {
  metadata: {
    name: "one",
    creationTimestamp: "2024-05-01T11:00:00Z",
    labels: { "example.com/tier": "gold" },
  },
  spec: {
    text: "hello",
    count: 3,
    large: 9007199254740993n,
    ratio: 1.5,
    huge: 1e21,
    long: 1234567.5,
    on: true,
    list: ["p", "q", "r"],
    map: { a: [null, "x"], b: 1 },
    ports: [
      { name: "http", number: 80 },
      { name: "https", number: 443 },
    ],
    when: "2024-05-01T11:30:00Z",
    nothing: null,
    never: "",
  },
} as unknown as ApiObject; // of a custom kind

/** The cell of one column. */
function cell(type: string, jsonPath: string) {
  return customColumns([{ name: "A", type, jsonPath }], boats).cells(object, now)[1];
}

test.each([
  ["string", ".spec.text", "hello"],
  ["string", ".spec.count", "3"],
  ["string", ".spec.large", "9007199254740993"],
  ["string", ".spec.ratio", "1.5"],
  ["string", ".spec.long", "1.2345675e+06"],
  ["string", ".spec.on", "true"],
  ["string", ".spec.list", '["p","q","r"]'],
  ["string", ".spec.map", '{"a":[null,"x"],"b":1}'],
  ["string", ".spec.list[*]", "p"],
  ["string", ".spec.list[1]", "q"],
  ["string", ".spec.list[-1:]", "r"],
  ["string", '.spec.ports[?(@.name=="https")].number', "443"],
  ["string", ".metadata.labels.example\\.com/tier", "gold"],
  ["string", ".spec.nothing", "<no value>"],
  ["integer", ".spec.nothing", null],
  ["date", ".spec.nothing", null],
  ["string", ".kind", "Boat"],
  ["string", ".apiVersion", "example.com/v1"],
  ["string", ".spec.missing.deep", null],
  ["integer", ".spec.count", 3],
  ["integer", ".spec.large", 9007199254740993n],
  ["integer", ".spec.ratio", 1],
  ["integer", ".spec.huge", -(2n ** 63n)],
  ["integer", ".spec.text", null],
  ["integer", ".spec.on", null],
  ["number", ".spec.ratio", 1.5],
  ["number", ".spec.count", 3],
  ["number", ".spec.text", null],
  ["boolean", ".spec.on", true],
  ["boolean", ".spec.text", null],
  ["boolean", ".spec.count", null],
  ["date", ".spec.when", "30m"],
  ["date", ".spec.text", "<invalid>"],
  ["date", ".spec.never", "<unknown>"],
  ["date", ".spec.count", null],
  ["date", ".spec.missing", null],
])("a column of type %s shows %s as %s", (type, jsonPath, shown) => {
  expect(cell(type, jsonPath)).toEqual(shown);
});

test("columns keep their priority, format and description", () => {
  const { columns } = customColumns(
    [
      { name: "A", type: "integer", jsonPath: ".a", priority: 1, format: "int64", description: "An A." },
      { name: "B", type: "string", jsonPath: ".b" },
    ],
    boats,
  );
  expect(columns.slice(1)).toEqual([
    { name: "A", type: "integer", format: "int64", description: "An A.", priority: 1 },
    {
      name: "B",
      type: "string",
      format: "",
      description: "Custom resource definition column (in JSONPath format): .b",
      priority: 0,
    },
  ]);
});

test("without columns the age is shown, and a path that cannot be read ends the table", () => {
  expect(customColumns(undefined, boats).cells(object, now)).toEqual(["one", "60m"]);
  expect(customColumns([], boats).columns.map(({ name }) => name)).toEqual(["Name", "Age"]);
  const { columns, cells } = customColumns(
    [".spec.text", '.spec["text"]', ".spec.count"].map((jsonPath, at) => ({
      name: `C${at}`,
      type: "string",
      jsonPath,
    })),
    boats,
  );
  expect(columns.map(({ name }) => name)).toEqual(["Name", "C0"]);
  expect(cells(object, now)).toEqual(["one", "hello"]);
});

/** `count` columns of one path, over an object with that spec. */
function cellsOf(spec: object, jsonPath: string, count: number) {
  const columns = Array.from({ length: count }, (_, index) => ({
    name: `C${index}`,
    type: "string",
    jsonPath,
  }));
  return customColumns(columns, boats).cells(
    { metadata: { name: "one" }, spec } as unknown as ApiObject,
    now,
  );
}

test("columns that together look at too much of an object are empty from there on", () => {
  const list = Array.from({ length: 12_000 }, (_, index) => ({ a: index }));
  const cells = cellsOf({ list }, ".spec.list[?(@.a==11999)].a", 100);
  expect(cells).toHaveLength(101);
  expect(cells.slice(1, 4)).toEqual(["11999", "11999", null]);
  expect(cells.at(-1)).toBeNull();
});

test("columns that together show too much text are empty from there on", () => {
  const cells = cellsOf({ text: "x".repeat(1_000_000) }, ".spec.text", 100);
  expect(cells.map((cell) => String(cell).length)).toEqual([3, 1_000_000, ...new Array(99).fill(4)]);
  expect(cellsOf({ list: ["y".repeat(1_000_000)] }, ".spec.list", 3).slice(2)).toEqual([null, null]);
});

test("objects are shown with sorted keys, however they were made", () => {
  const metadata = { name: "a", labels: { z: "1", b: [{ d: 1, c: 2 }] } };
  const shown = '{"labels":{"b":[{"c":2,"d":1}],"z":"1"},"name":"a"}';
  expect(cellsOf({ metadata }, ".spec.metadata", 1)).toEqual(["one", shown]);
});
