import { expect, test } from "vitest";
import { Warnings } from "./warnings.js";

function ground() {
  let headers: string[] = [];
  const origin = {
    addResponseHeader: (name: string, value: string) => headers.push(`${name}: ${value}`),
    removeResponseHeader: (name: string) => {
      headers = headers.filter((header) => !header.startsWith(`${name}: `));
    },
  };
  const warnings = new Warnings(origin);
  return { warnings, headers: () => headers };
}

test("each warning is sent once, quoted", () => {
  const { warnings, headers } = ground();
  warnings.add('a "b" c');
  warnings.add('a "b" c');
  warnings.add("");
  expect(headers()).toEqual(['Warning: 299 - "a \\"b\\" c"']);
});

test("a warning that a header cannot have is left out", () => {
  const { warnings, headers } = ground();
  warnings.add("a\nb");
  warnings.add("a\u0085b");
  expect(headers()).toEqual([]);
});

test("warnings are sent in full up to 4,096 characters", () => {
  const { warnings, headers } = ground();
  warnings.add("é".repeat(4000));
  warnings.add("y".repeat(96));
  expect(headers().map((header) => header.length)).toEqual([8017, 113]);
});

test("beyond, each is cut to 256 characters, and what follows is left out when that is too much too", () => {
  const { warnings, headers } = ground();
  const texts = Array.from({ length: 30 }, (_, i) => `${i} ${"x".repeat(500)}`);
  for (const text of texts) warnings.add(text);
  expect(headers()).toEqual(texts.slice(0, 16).map((text) => `Warning: 299 - "${text.slice(0, 256)}"`));
});

test("a single one that is too long is cut", () => {
  const { warnings, headers } = ground();
  warnings.add("short");
  warnings.add("x".repeat(5000));
  expect(headers()).toEqual(['Warning: 299 - "short"', `Warning: 299 - "${"x".repeat(256)}"`]);
});

test("a character outside the basic plane counts once", () => {
  const { warnings, headers } = ground();
  warnings.add("\u{1f600}".repeat(4097));
  const latin = Buffer.from("\u{1f600}".repeat(256), "utf8").toString("latin1");
  expect(headers()).toEqual([`Warning: 299 - "${latin}"`]);
});
