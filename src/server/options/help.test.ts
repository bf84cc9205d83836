import { expect, test } from "vitest";
import { hasLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { renderHelp } from "./help.js";
import { displayName, optionNamed, optionNames } from "./options.js";

const orch = createNaming("orch");
const kubernetes = createNaming("kubernetes");

test("help shows each option once, by the profile's name, under its group", () => {
  for (const naming of [orch, kubernetes]) {
    const headings = renderHelp(naming, "1.23", 80).match(/^ {2}(-\w, )?--[a-z0-9-]+/gm) ?? [];
    const names = headings.map((heading) => heading.replace(/^.*--/, "").trim());
    expect(names.toSorted()).toEqual(
      optionNames()
        .filter((name) => hasLevel(optionNamed(name), "1.23"))
        .map((name) => displayName(name, naming))
        .toSorted(),
    );
  }
  expect(renderHelp(orch, "1.23", 80)).toContain(
    "\nServing, TLS and network:\n\n  --secure-port int (default 6443)\n",
  );
  expect(renderHelp(kubernetes, "1.23", 80)).toContain("\n  --etcd-servers strings\n");
  expect(renderHelp(kubernetes, "1.23", 80)).toContain("\n  kube-apiserver [options]\n");
});

test("help lists the feature gates", () => {
  expect(renderHelp(orch, "1.23", 200)).toContain(
    "\n        APIListChunking=true|false (BETA - default=true)\n",
  );
  expect(renderHelp(orch, "1.35", 200)).toContain(
    "\n        APIServerIdentity=true|false (BETA - default=true)\n",
  );
});

test.each([40, 80, 120])("sentences are wrapped to %d columns", (columns) => {
  const words = (line: string) => line.trim().split(" ").length;
  const long = renderHelp(orch, "1.23", columns)
    .split("\n")
    .filter((line) => line.startsWith("      ") && !line.includes("=true|false ("))
    .filter((line) => line.length > columns && words(line) > 1);
  expect(long).toEqual([]);
});

test("a terminal too narrow for any sentence gets 40 columns", () => {
  expect(renderHelp(orch, "1.23", 10)).toBe(renderHelp(orch, "1.23", 40));
});
