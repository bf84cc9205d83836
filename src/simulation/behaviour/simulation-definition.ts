import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type Naming, simulationGroup } from "../../naming/naming.js";
import { nodeStates } from "./behaviour-spec.js";

/** The custom resource definition of the kind whose objects are rules. */
export function simulationDefinition(naming: Pick<Naming, "field">): JsonObject {
  return {
    metadata: { name: `simulations.${simulationGroup}` },
    spec: {
      group: simulationGroup,
      scope: "Cluster",
      names: {
        plural: "simulations",
        singular: "simulation",
        kind: "Simulation",
        listKind: "SimulationList",
      },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: "Problem", type: "string", jsonPath: ".status.problem" },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
          schema: { openAPIV3Schema: schemaOf(naming) },
        },
      ],
      conversion: { strategy: "None" },
    },
    status: {},
  };
}

const text = { type: "string" };
const texts = { type: "array", items: text };
const duration = "([0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h))+";
const time = { type: "string", pattern: `^${duration}$` };
const probe = { type: "string", pattern: `^fail( after ${duration})?$` };
const exitCode = "([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";

const match = {
  type: "object",
  properties: { namespaces: texts, names: texts, labelSelector: text, images: texts, containers: texts },
};

function schemaOf(naming: Pick<Naming, "field">): JsonObject {
  const container = {
    type: "object",
    minProperties: 1,
    properties: {
      pull: time,
      pullError: text,
      exitCode: {
        anyOf: [{ type: "integer" }, { type: "string" }],
        [naming.field("x-orch-int-or-string")]: true,
        minimum: 0,
        maximum: 255,
        pattern: `^(${exitCode}|run)(, ?(${exitCode}|run))*$`,
      },
      exitAfter: time,
      readyAfter: time,
      readiness: probe,
      liveness: probe,
      startup: probe,
      stop: { type: "string", pattern: `^(never|${duration})$` },
      logs: text,
      exec: { type: "object", [naming.field("x-orch-preserve-unknown-fields")]: true },
    },
  };
  const node = {
    type: "object",
    required: ["state"],
    properties: { state: { type: "string", enum: [...nodeStates] } },
  };
  return {
    type: "object",
    required: ["spec"],
    properties: {
      spec: { type: "object", properties: { match, container, node } },
      status: { type: "object", properties: { problem: text } },
    },
  };
}
