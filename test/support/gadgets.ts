import { metaV1Types } from "../../src/apimachinery/meta-types/v1.js";
import type { ApiObject } from "../../src/apimachinery/objects/meta.js";
import type { TypePackage } from "../../src/apimachinery/schema/declaration.js";
import { SchemaRegistry } from "../../src/apimachinery/schema/schema-registry.js";
import { strategy } from "../../src/apis/definition/base-strategy.js";
import { defineResource } from "../../src/apis/definition/define-resource.js";
import type { ResourceOffer } from "../../src/endpoints/catalog/resource-offer.js";

const fieldNames = Array.from({ length: 10 }, (_, index) => `field${index}`);

const gadgetTypes: TypePackage = {
  name: "gadgets/v1",
  declare: () => ({
    Gadget: {
      kind: "Gadget",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "gadgets/v1.GadgetSpec", omitempty: true, optional: true },
      },
    },
    GadgetSpec: {
      fields: Object.fromEntries(
        fieldNames.map((name, index) => [
          name,
          { number: index + 1, type: "string", omitempty: true, optional: true } as const,
        ]),
      ),
    },
  }),
};

/**
 * A namespaced kind of ten fields for a test's own source, with a codec of its own as every custom resource has one. `name` is its singular in
 * lower case.
 */
export function gadgetOffer(name: string, group = "gadgets.example.com"): ResourceOffer {
  const schemas = new SchemaRegistry([metaV1Types, gadgetTypes]);
  const kind = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const version = {
    version: "v1",
    codec: schemas.codec<ApiObject>("gadgets/v1.Gadget"),
    hasProtobuf: false,
    enabledByDefault: true,
    setDefaults: () => undefined,
    conversion: { hub: true },
  } as const;
  const definition = defineResource<ApiObject>({
    group,
    resource: `${name}s`,
    kind,
    namespaced: true,
    versions: [version],
    storage: { version: "v1", prefix: `/${group}/${name}s` },
    strategy: strategy<ApiObject>({ validate: () => [], validateUpdate: () => [] }),
  });
  const properties = Object.fromEntries(fieldNames.map((field) => [field, { type: "string" }]));
  return {
    definition,
    served: [
      {
        version,
        schema: () => ({ type: "object", properties: { spec: { type: "object", properties } } }),
      },
    ],
  };
}
