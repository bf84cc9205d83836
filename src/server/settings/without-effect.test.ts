import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { parseOptions } from "../options/parse-options.js";
import { givenDeprecated, givenWithoutEffect } from "./without-effect.js";

function withoutEffect(...args: string[]): readonly string[] {
  const parsed = parseOptions(["--api-level=1.23", ...args], { profile: "kubernetes" });
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  return givenWithoutEffect({ ...parsed, naming: createNaming("kubernetes") });
}

test("options and gates of other programs are listed, those of this server are not", () => {
  expect(withoutEffect("--insecure-port=0", "--kubelet-read-only-port=1", "--v=1")).toEqual([
    "--insecure-port",
    "--kubelet-read-only-port",
  ]);
  expect(
    withoutEffect("--feature-gates=CPUManager=false,SuspendJob=true,KubeletPodResources=true,AllAlpha=true"),
  ).toEqual(["CPUManager", "KubeletPodResources"]);
  expect(withoutEffect()).toEqual([]);
});

test("options that later levels deprecate are listed with their removal", () => {
  const deprecated = (...args: string[]) => {
    const parsed = parseOptions(["--api-level=1.23", ...args], { profile: "kubernetes" });
    if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
    return givenDeprecated({ ...parsed, naming: createNaming("kubernetes") });
  };
  const given = ["--log-dir=/tmp", "--kubelet-port=10250", "--v=1"];
  expect(deprecated(...given)).toEqual([]);
  expect(deprecated("--api-level=1.24", ...given)).toEqual([
    "Flag --log-dir has been deprecated and is gone at API level 1.26",
    "Flag --kubelet-port has been deprecated",
  ]);
});
