import type { JsonObject } from "../../apimachinery/json/json-value.js";

/** The kind of rules that are objects, as a custom resource definition. */
export function faultDefinition(group: string): JsonObject {
  return {
    metadata: { name: `faults.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural: "faults", singular: "fault", kind: "Fault", listKind: "FaultList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: "Hits", type: "integer", jsonPath: ".status.hits" },
            { name: "Problem", type: "string", jsonPath: ".status.problem" },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
          schema: { openAPIV3Schema: schema },
        },
      ],
      conversion: { strategy: "None" },
    },
    status: {},
  };
}

const text = { type: "string" };
const texts = { type: "array", items: text };
const count = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const schema: JsonObject = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["effect"],
      properties: {
        match: {
          type: "object",
          properties: {
            users: texts,
            userAgents: texts,
            verbs: texts,
            groups: texts,
            resources: texts,
            namespaces: texts,
            names: texts,
            labelSelector: text,
            webhooks: texts,
          },
        },
        when: {
          type: "object",
          properties: {
            nth: count,
            every: count,
            share: { type: "number", minimum: 0, maximum: 1 },
            seed: { ...count, minimum: Number.MIN_SAFE_INTEGER },
            times: count,
          },
        },
        effect: {
          type: "object",
          minProperties: 1,
          properties: {
            delay: text,
            status: {
              type: "object",
              required: ["code"],
              properties: {
                code: { type: "integer", enum: [409, 410, 429, 500, 503, 504] },
                message: text,
                retryAfterSeconds: count,
              },
            },
            cut: { type: "string", enum: ["Before", "AfterCommit"] },
            watch: {
              type: "object",
              properties: {
                end: { type: "string", enum: ["Close", "Expired"] },
                afterEvents: { ...count, minimum: 0 },
              },
            },
            staleBy: count,
            queueFull: { type: "boolean" },
            tokenExpired: { type: "boolean" },
            webhookDelay: text,
          },
        },
      },
    },
    status: {
      type: "object",
      properties: { hits: { type: "integer" }, problem: text },
    },
  },
};
