import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readBehaviours, renderApiLevels } from "../../scripts/api-levels-doc.js";
import { changedLevels, renderLevelChanges } from "../../scripts/level-changes-doc.js";

const docs = new URL("../../docs/", import.meta.url);
const behaviours = readBehaviours();

test("docs/api-levels.md is current (else: npm run generate)", () => {
  expect(readFileSync(new URL("api-levels.md", docs), "utf8")).toBe(renderApiLevels(behaviours));
});

test.each(changedLevels)("docs/levels/%s.md is current (else: npm run generate)", (level) => {
  const path = new URL(`levels/${level}.md`, docs);
  expect(readFileSync(path, "utf8")).toBe(renderLevelChanges(level, behaviours));
});

test("each behaviour is listed once", () => {
  const ids = behaviours.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

test("each behaviour is described in a sentence", () => {
  expect(behaviours.filter(({ what }) => !/^.{10,}\.$/.test(what)).map(({ id }) => id)).toEqual([]);
});

describe("the tests of a behaviour", () => {
  test("are named for every behaviour that is done", () => {
    const unshown = behaviours.filter(({ status, tests }) => status === "done" && tests === undefined);
    expect(unshown.map(({ id }) => id)).toEqual([]);
  });

  const shown = behaviours.flatMap((each) =>
    each.tests === undefined ? [] : [{ ...each, tests: each.tests }],
  );

  test.each(shown)(
    "$id names test files, one of which is about its level or about all",
    ({ tests, since = "1.23" }) => {
      expect(tests).not.toEqual([]);
      expect(tests.filter((path) => !path.endsWith(".test.ts"))).toEqual([]);
      const texts = tests.map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
      // The lowest level has none before it to differ from, and tests that name no level run at it, too.
      if (since !== "1.23")
        expect(texts.filter((text) => text.includes(`"${since}"`) || /\bapiLevels\b/.test(text))).not.toEqual(
          [],
        );
    },
  );
});
