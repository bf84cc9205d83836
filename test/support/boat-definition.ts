/** A definition that uses most features of definitions. */
export function boatDefinition(
  changes: { readonly group?: string; readonly versions?: readonly object[] } = {},
) {
  const { group = "example.com" } = changes;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "boats", singular: "boat", kind: "Boat", shortNames: ["bt"], categories: ["all"] },
      versions: changes.versions ?? [boatVersion],
    },
  };
}

export const boatVersion = {
  name: "v1",
  served: true,
  storage: true,
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.sails", statusReplicasPath: ".status.sails" },
  },
  selectableFields: [{ jsonPath: ".spec.colour" }],
  additionalPrinterColumns: [
    { name: "Sails", type: "integer", jsonPath: ".spec.sails" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "Colour", type: "string", jsonPath: ".spec.colour", priority: 1 },
  ],
  schema: {
    openAPIV3Schema: {
      type: "object",
      description: "A thing that floats.",
      required: ["spec"],
      properties: {
        spec: {
          type: "object",
          description: "What the boat is to be.",
          properties: {
            sails: { type: "integer", minimum: 0, default: 1, description: "How many sails." },
            colour: { type: "string", enum: ["red", "blue"] },
            crew: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
              items: {
                type: "object",
                required: ["name"],
                properties: { name: { type: "string" }, rank: { type: "string" } },
              },
            },
          },
        },
        status: {
          type: "object",
          properties: {
            sails: { type: "integer" },
            conditions: {
              type: "array",
              items: { type: "object", properties: { type: { type: "string" }, status: { type: "string" } } },
            },
          },
        },
      },
    },
  },
};

export function boat(name: string, spec: object = { colour: "red" }) {
  return { apiVersion: "example.com/v1", kind: "Boat", metadata: { name }, spec };
}
