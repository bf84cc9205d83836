import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ApiObject, ObjectMeta as CommonObjectMeta } from "../apimachinery/objects/meta.js";
import type { Pod } from "./gen/core-v1.js";
import type { ObjectMeta } from "./gen/meta-v1.js";
import { generateTypeFiles } from "./generate-type-files.js";

const folder = fileURLToPath(new URL("./gen/", import.meta.url));

test("the generated interfaces are those of the declarations", () => {
  const files = generateTypeFiles();
  expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort());
  for (const [name, text] of files) expect(readFileSync(join(folder, name), "utf8"), name).toBe(text);
});

test("generated metadata is the metadata that the object model works with", () => {
  const generated: ObjectMeta = { name: "a", generation: 1n, labels: { a: "b" } };
  const common: CommonObjectMeta = generated;
  const back: ObjectMeta = common;
  const pod: Pod = { metadata: back, spec: {}, status: {} };
  const object: ApiObject = pod;
  expect(object.metadata).toBe(generated);
});
