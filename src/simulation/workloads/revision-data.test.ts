import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { PodTemplateSpec } from "../../apis/gen/core-v1.js";
import { comparableData, revisionData, templateOf } from "./revision-data.js";

const template: PodTemplateSpec = {
  metadata: { labels: { app: "agent" } },
  spec: {
    restartPolicy: "Always",
    containers: [{ name: "c", image: "agent:1", resources: {} }],
    volumes: [
      {
        name: "v",
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { app: "agent" } },
            spec: { accessModes: ["ReadWriteOnce"], resources: {} },
          },
        },
      },
    ],
  },
};

test.each<[ApiLevel, string]>([
  ["1.23", '"creationTimestamp":null,'],
  ["1.33", '"creationTimestamp":null,'],
  ["1.34", ""],
])("at %s a revision is the text that clients make of the template", (level, time) => {
  const metadata = `"metadata":{${time}"labels":{"app":"agent"}}`;
  const claim = `{${metadata},"spec":{"accessModes":["ReadWriteOnce"],"resources":{}}}`;
  const volumes = `[{"ephemeral":{"volumeClaimTemplate":${claim}},"name":"v"}]`;
  const spec = `{"containers":[{"image":"agent:1","name":"c","resources":{}}],"restartPolicy":"Always","volumes":${volumes}}`;
  expect(JSON.stringify(revisionData(template, level))).toBe(
    `{"spec":{"template":{"$patch":"replace",${metadata},"spec":${spec}}}}`,
  );
});

test("a revision that was stored at 1.33 is that of the same template at 1.34", () => {
  const before = comparableData(revisionData(template, "1.33"));
  expect(before).toEqual(comparableData(revisionData(template, "1.34")));
  expect(templateOf(before)).toEqual(template);
});
