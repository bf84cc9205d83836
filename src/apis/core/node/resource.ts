import { append } from "../../../apimachinery/collections/append.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { cidrWarnings } from "../../../apimachinery/validation/ip-fields.js";
import { ipRules } from "../../checks/ip-rules.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { Node } from "../../gen/core-v1.js";
import { nodeColumns } from "./columns.js";
import { setNodeDefaults } from "./defaults.js";
import { validateNode, validateNodeUpdate } from "./validation.js";

export function nodes(context: ApiContext): ResourceDefinition<Node> {
  const { naming } = context;
  // A node agent creates its own node, so the status may be part of the create.
  const main = strategy<Node>({
    resetFields: [["status"]],
    prepareForCreate(_context, object) {
      // Dynamic node configuration was introduced and later removed.
      object.spec.configSource = undefined;
      object.status.config = undefined;
    },
    prepareForUpdate(_context, object, old) {
      object.status = old.status;
      if (old.spec.configSource === undefined) object.spec.configSource = undefined;
    },
    validate: (_context, object) => validateNode(naming, object, ipRules(context)),
    validateUpdate: (_context, object, old) => [
      ...validateNode(naming, object, ipRules(context), old),
      ...validateNodeUpdate(naming, object, old),
    ],
    warningsOnCreate: (_context, object) => nodeWarnings(context, object),
    warningsOnUpdate: (_context, object) => nodeWarnings(context, object),
  });
  return defineResource<Node>({
    group: "",
    resource: "nodes",
    kind: "Node",
    namespaced: false,
    shortNames: ["no"],
    versions: [hub<Node>(context, { version: "v1", type: "core/v1.Node", setDefaults: setNodeDefaults })],
    storage: { version: "v1", prefix: "/minions" },
    strategy: main,
    subresources: [
      {
        kind: "operation",
        name: "proxy",
        verbs: ["create", "delete", "get", "patch", "update"],
        object: { group: "", version: "", kind: "NodeProxyOptions" },
      },
      statusPart<Node>(main, {
        keepsGatedFields: true,
        prepareForUpdate(_context, object, old) {
          if (old.status.config === undefined) object.status.config = undefined;
        },
        validateUpdate: (_context, object, old) => validateNodeUpdate(naming, object, old),
      }),
    ],
    selectableFields: {
      names: ["spec.unschedulable"],
      values: (object) => ({ "spec.unschedulable": String(object.spec.unschedulable ?? false) }),
    },
    columns: nodeColumns(context),
  });
}

function nodeWarnings(context: ApiContext, { spec }: Node): string[] {
  const { level } = context;
  const warnings: string[] = [];
  if (spec.configSource !== undefined) {
    const why = isAtLeast(level, "1.26")
      ? "the feature is removed"
      : "deprecated in v1.22, support removal is planned in v1.23";
    warnings.push(`spec.configSource: ${why}`);
  }
  if (isAtLeast(level, "1.27") && (spec.externalID ?? "") !== "") {
    warnings.push(
      `spec.externalID: this field is deprecated, and is unused by ${context.naming.vendorTitle}`,
    );
  }
  if (!isAtLeast(level, "1.33")) return warnings;
  for (const [index, network] of (spec.podCIDRs ?? []).entries()) {
    append(warnings, cidrWarnings(FieldPath.of("spec", "podCIDRs").index(index), network, context));
  }
  return warnings;
}
