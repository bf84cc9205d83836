import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { IngressClass } from "../../gen/networking-v1.js";
import { validateIngressClass, validateIngressClassUpdate } from "./validation.js";

export function ingressClasses(context: ApiContext): ResourceDefinition<IngressClass> {
  return defineResource<IngressClass>({
    group: context.naming.group("networking"),
    resource: "ingressclasses",
    kind: "IngressClass",
    namespaced: false,
    versions: [
      hub<IngressClass>(context, {
        version: "v1",
        type: "networking/v1.IngressClass",
        setDefaults(object) {
          if (object.spec.parameters !== undefined) object.spec.parameters.scope ??= "Cluster";
        },
      }),
    ],
    storage: { version: "v1", prefix: "/ingressclasses" },
    strategy: strategy<IngressClass>(
      generationRules<IngressClass>((object) => object.spec, {
        validate: (_context, object) => validateIngressClass(object),
        validateUpdate: (_context, object, old) => validateIngressClassUpdate(object, old),
      }),
    ),
    columns: columns(context),
  });
}

function columns({ naming, level }: ApiContext): TableColumns<IngressClass> {
  const defaultMark = `ingressclass.${naming.domain}/is-default-class`;
  return {
    columns: [
      nameColumn,
      column("Controller", "string", "Controller that serves the class."),
      column("Parameters", "string", "Object with the controller's settings for the class."),
      ageColumn,
    ],
    cells(object, now) {
      const { name = "", annotations } = object.metadata;
      const isMarked = isAtLeast(level, "1.36") && annotations?.[defaultMark] === "true";
      return [
        isMarked ? `${name} (default)` : name,
        object.spec.controller ?? "",
        parametersText(object),
        ageCell(object, now),
      ];
    },
  };
}

function parametersText({ spec: { parameters } }: IngressClass): string {
  if (parameters === undefined) return "<none>";
  const group = parameters.apiGroup === undefined ? "" : `.${parameters.apiGroup}`;
  return `${parameters.kind}${group}/${parameters.name}`;
}
