import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServer } from "../support/server-process.js";
import { execute, isInstalled } from "./toolchain.js";

const hasGo = isInstalled(["go", "version"]);
const objects = 10_000;

describe.skipIf(!hasGo)(
  `informers of client-go 0.36 with streaming lists${hasGo ? "" : " (skipped: go is not installed)"}`,
  { timeout: 900_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "streaming-lists-"));
    const started: ServerProcess[] = [];

    beforeAll(async () => {
      cpSync(join(import.meta.dirname, "streaming-lists"), folder, { recursive: true });
      await execute(["go", "build", "-o", "client", "."], folder);
    }, 900_000);

    afterAll(async () => {
      for (const server of started) await server.dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
      ["", [], {}],
      [
        " and CBOR",
        ["--feature-gates=CBORServingAndStorage=true"],
        // What the client library's own gates are called in its environment.
        { KUBE_FEATURE_ClientsAllowCBOR: "true", KUBE_FEATURE_ClientsPreferCBOR: "true" },
      ],
    ])(`are given ${objects} objects by one stream%s`, async (_, args, env) => {
      const server = await startServer({ args: ["--api-level=1.36", ...args] });
      started.push(server);
      const command = [join(folder, "client"), String(objects), server.kubeconfig];
      const printed = await execute(command, folder, { ...process.env, ...env });
      expect(printed.trim().split("\n")).toEqual(
        ["typed application/vnd.kubernetes.protobuf", "typed application/json", "metadata", "dynamic"].map(
          (name) => `ok ${name} ${objects}`,
        ),
      );
    });
  },
);
