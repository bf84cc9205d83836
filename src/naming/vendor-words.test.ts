import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const sourceRoot = fileURLToPath(new URL("..", import.meta.url));

/** `kubectl` and `kubeconfig` belong to the client, and are the same in both profiles. */
const vendorWord = /kubernetes|k8s|kube(?!ctl|config)/i;

/** Comments may say Kubernetes: only identifiers and strings, which clients see, are checked. */
const comment = /^\s*(\/\/|\/\*|\*).*| \/\/ .*/;

function linesWithVendorWords(text: string): number[] {
  const lines: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (vendorWord.test(line.replace(comment, ""))) lines.push(index + 1);
  }
  return lines;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const skipped =
        entry.name === "gen" || entry.name === "fixtures" || path === join(sourceRoot, "naming");
      return skipped ? [] : sourceFiles(path);
    }
    return entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

test("the scan finds vendor words and lets the client's names pass", () => {
  expect(linesWithVendorWords("a\nkube-system\nmeta.k8s.io\nKubernetes\nkubelet")).toEqual([2, 3, 4, 5]);
  expect(linesWithVendorWords("kubectl\nkubeconfig --write-kubeconfig")).toEqual([]);
  expect(linesWithVendorWords("// Kubernetes\n  /** k8s */\n * Kubernetes\nf(); // kube-apiserver")).toEqual(
    [],
  );
  expect(linesWithVendorWords('f("kubelet"); // why\nconst url = "https://k8s.io";')).toEqual([1, 2]);
});

test("nothing outside naming/ spells a vendor word", () => {
  const found = sourceFiles(sourceRoot).flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const lines = text.split("\n");
    return linesWithVendorWords(text).map(
      (number) =>
        `${relative(sourceRoot, path).replaceAll(sep, "/")}:${number}: ${lines[number - 1]?.trim()}`,
    );
  });
  expect(found).toEqual([]);
});
