/**
 * Custom resource definitions like those of real operators, generated from a number: the same number gives the same definition. Small
 * ones as of cloud providers, larger ones with pod templates as of databases, and some with several versions.
 */
export function operatorDefinition(number: number, options: { readonly group?: string } = {}) {
  const { group = `g${Math.floor(number / 10)}.example.com` } = options;
  const plural = `widgets${number}`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      annotations: { "controller-gen.kubebuilder.io/version": "v0.9.0" },
      labels: { app: "operator", "app.kubernetes.io/part-of": group },
    },
    spec: {
      group,
      scope: number % 5 === 0 ? "Cluster" : "Namespaced",
      names: {
        plural,
        singular: `widget${number}`,
        kind: `Widget${number}`,
        listKind: `Widget${number}List`,
        shortNames: [`w${number}`],
        categories: number % 2 === 0 ? ["operators"] : [],
      },
      versions:
        number % 4 === 3
          ? [version(number, "v1alpha1", false), version(number, "v1", true)]
          : [version(number, "v1", true)],
    },
  };
}

function version(number: number, name: string, storage: boolean) {
  return {
    name,
    served: true,
    storage,
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ],
    schema: {
      openAPIV3Schema: {
        type: "object",
        description: `Widget${number} is the schema of the widgets that the operator runs.`,
        required: ["spec"],
        properties: {
          apiVersion: { type: "string", description: sentence("APIVersion", 12) },
          kind: { type: "string", description: sentence("Kind", 12) },
          metadata: { type: "object" },
          spec: specSchema(number),
          status: statusSchema(),
        },
      },
    },
  };
}

function specSchema(number: number) {
  const properties: Record<string, object> = {
    replicas: {
      type: "integer",
      format: "int32",
      minimum: 0,
      maximum: 1000,
      default: 1,
      description: sentence("replicas", 8),
    },
    paused: { type: "boolean", default: false, description: sentence("paused", 6) },
    version: {
      type: "string",
      pattern: "^v?[0-9]+(\\.[0-9]+){0,2}$",
      maxLength: 64,
      description: sentence("version", 9),
    },
    providerRef: {
      type: "object",
      required: ["name"],
      description: sentence("providerRef", 10),
      properties: { name: { type: "string" }, namespace: { type: "string" }, policy: policySchema() },
    },
    resources: resourcesSchema(),
    selector: selectorSchema(),
    config: { type: "object", additionalProperties: { type: "string" }, description: sentence("config", 14) },
    raw: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    port: {
      anyOf: [{ type: "integer" }, { type: "string" }],
      "x-kubernetes-int-or-string": true,
      description: sentence("port", 10),
    },
  };
  // Cloud providers describe each parameter of an interface.
  for (let field = 0; field < 20 + (number % 7) * 5; field++) {
    properties[`parameter${field}`] = {
      type: "object",
      description: sentence(`parameter${field}`, 18),
      properties: {
        value: { type: "string", description: sentence("value", 12) },
        mode: { type: "string", enum: ["Always", "Never", "OnChange"], default: "Always" },
        weights: { type: "array", maxItems: 64, items: { type: "number" } },
      },
    };
  }
  if (number % 10 === 9) properties.template = podTemplateSchema();
  return { type: "object", description: sentence("spec", 10), properties };
}

function statusSchema() {
  return {
    type: "object",
    properties: {
      observedGeneration: { type: "integer", format: "int64" },
      replicas: { type: "integer", format: "int32" },
      phase: { type: "string", enum: ["Pending", "Running", "Failed"] },
      conditions: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        items: {
          type: "object",
          required: ["type", "status", "lastTransitionTime", "reason", "message"],
          properties: {
            type: {
              type: "string",
              maxLength: 316,
              pattern:
                "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
            },
            status: { type: "string", enum: ["True", "False", "Unknown"] },
            observedGeneration: { type: "integer", format: "int64", minimum: 0 },
            lastTransitionTime: {
              type: "string",
              format: "date-time",
              description: sentence("lastTransitionTime", 14),
            },
            reason: {
              type: "string",
              minLength: 1,
              maxLength: 1024,
              pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
            },
            message: { type: "string", maxLength: 32768 },
          },
        },
      },
    },
  };
}

function policySchema() {
  return {
    type: "object",
    properties: {
      resolution: {
        type: "string",
        enum: ["Required", "Optional"],
        default: "Required",
        description: sentence("resolution", 16),
      },
      resolve: { type: "string", enum: ["Always", "IfNotPresent"], description: sentence("resolve", 16) },
    },
  };
}

function resourcesSchema() {
  const quantities = {
    type: "object",
    additionalProperties: {
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern:
        "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
      "x-kubernetes-int-or-string": true,
    },
  };
  return { type: "object", properties: { limits: quantities, requests: quantities } };
}

function selectorSchema() {
  return {
    type: "object",
    "x-kubernetes-map-type": "atomic",
    properties: {
      matchLabels: { type: "object", additionalProperties: { type: "string" } },
      matchExpressions: {
        type: "array",
        items: {
          type: "object",
          required: ["key", "operator"],
          properties: {
            key: { type: "string", description: sentence("key", 8) },
            operator: { type: "string", description: sentence("operator", 10) },
            values: { type: "array", items: { type: "string" } },
          },
        },
      },
    },
  };
}

function podTemplateSchema() {
  const keyRef = {
    type: "object",
    required: ["key"],
    properties: { key: { type: "string" }, name: { type: "string" }, optional: { type: "boolean" } },
  };
  const handler = {
    type: "object",
    description: sentence("handler", 14),
    properties: {
      exec: { type: "object", properties: { command: { type: "array", items: { type: "string" } } } },
      httpGet: {
        type: "object",
        required: ["port"],
        properties: {
          host: { type: "string", description: sentence("host", 12) },
          path: { type: "string", description: sentence("path", 8) },
          port: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
          scheme: { type: "string" },
        },
      },
      periodSeconds: { type: "integer", format: "int32", description: sentence("periodSeconds", 14) },
      timeoutSeconds: { type: "integer", format: "int32", description: sentence("timeoutSeconds", 14) },
    },
  };
  const container = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", description: sentence("name", 20) },
      image: { type: "string", description: sentence("image", 20) },
      args: { type: "array", items: { type: "string" } },
      command: { type: "array", items: { type: "string" } },
      env: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string" },
            value: { type: "string", description: sentence("value", 40) },
            valueFrom: { type: "object", properties: { configMapKeyRef: keyRef, secretKeyRef: keyRef } },
          },
        },
      },
      livenessProbe: handler,
      readinessProbe: handler,
      startupProbe: handler,
      lifecycle: { type: "object", properties: { postStart: handler, preStop: handler } },
      ports: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
        items: {
          type: "object",
          required: ["containerPort"],
          properties: {
            containerPort: { type: "integer", format: "int32" },
            name: { type: "string", description: sentence("name", 18) },
            protocol: { type: "string", default: "TCP" },
          },
        },
      },
      resources: resourcesSchema(),
    },
  };
  const term = {
    type: "object",
    properties: {
      labelSelector: selectorSchema(),
      topologyKey: { type: "string" },
      namespaces: { type: "array", items: { type: "string" } },
    },
  };
  const affinity = {
    type: "object",
    properties: {
      preferred: {
        type: "array",
        items: { type: "object", properties: { weight: { type: "integer" }, podAffinityTerm: term } },
      },
      required: { type: "array", items: term },
    },
  };
  const volumes: Record<string, object> = { name: { type: "string" } };
  for (let kind = 0; kind < 28; kind++) {
    volumes[`source${kind}`] = {
      type: "object",
      description: sentence(`source${kind}`, 24),
      properties: {
        path: { type: "string", description: sentence("path", 20) },
        readOnly: { type: "boolean", description: sentence("readOnly", 20) },
        secretRef: {
          type: "object",
          properties: { name: { type: "string", description: sentence("name", 20) } },
        },
        items: { type: "array", items: keyRef },
      },
    };
  }
  return {
    type: "object",
    properties: {
      metadata: {
        type: "object",
        properties: { labels: { type: "object", additionalProperties: { type: "string" } } },
      },
      spec: {
        type: "object",
        required: ["containers"],
        properties: {
          affinity: { type: "object", properties: { podAffinity: affinity, podAntiAffinity: affinity } },
          containers: { type: "array", items: container },
          initContainers: { type: "array", items: container },
          ephemeralContainers: { type: "array", items: container },
          nodeSelector: { type: "object", additionalProperties: { type: "string" } },
          volumes: { type: "array", items: { type: "object", properties: volumes } },
        },
      },
    },
  };
}

const words =
  "the field holds what an operator needs to know of its resource before it is changed and says how the controller treats it".split(
    " ",
  );

function sentence(subject: string, length: number): string {
  return `${subject}: ${Array.from({ length }, (_, at) => words[(subject.length + at * 5) % words.length]).join(" ")}.`;
}
