import { expect, test } from "vitest";
import { labelHash } from "../../telemetry/label-hash.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { reloadObserver } from "./reload-metrics.js";

const subsystem = "authentication_config_controller";

test.each([
  ["1.30", false],
  ["1.33", false],
  ["1.34", true],
  ["1.36", true],
] as const)(
  "at %s changes of a file are counted, and the hash of the one in use is told: %s",
  async (level, tells) => {
    const metrics = new Metrics();
    const observer = reloadObserver(metrics, subsystem, { what: "it", identity: "server", level });
    const shown = async (name: string): Promise<string[]> =>
      (await printMetrics(metrics.read()))
        .split("\n")
        .filter((line) => line.startsWith(`apiserver_${subsystem}_${name}`));
    const id = labelHash("server");
    const inUse = (content: string): string[] =>
      tells
        ? [
            `apiserver_${subsystem}_last_config_info{apiserver_id_hash="${id}",hash="${labelHash(content)}"} 1`,
          ]
        : [];

    observer.started(Buffer.from("one"));
    expect(await shown("last_config_info")).toEqual(inUse("one"));
    expect(await shown("automatic_reloads_total")).toEqual([]);
    observer.succeeded(Buffer.from("two"));
    observer.failed();
    expect(await shown("last_config_info")).toEqual(inUse("two"));
    expect((await shown("automatic_reloads_total")).sort()).toEqual(
      ["failure", "success"].map(
        (status) =>
          `apiserver_${subsystem}_automatic_reloads_total{status="${status}",apiserver_id_hash="${id}"} 1`,
      ),
    );
  },
);
