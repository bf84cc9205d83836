import { conditionFields } from "../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const apiregistrationV1Descriptions: TypeDescriptions = {
  ServiceReference: {
    about: "Names the service of an API server that extends this one.",
    fields: {
      name: "Name of the service.",
      namespace: "Namespace of the service.",
      port: "Port of the service that serves HTTPS, 1 to 65535. Default: 443.",
    },
  },
  APIServiceSpec: {
    about: "A group and version, who serves it, and how it ranks among others.",
    fields: {
      caBundle:
        "CA certificates, as PEM, that the server's certificate is checked with. Unset: those of the system.",
      group: "The API group. Empty: core.",
      groupPriorityMinimum:
        "Rank of the group, 1 to 20000, the highest of its versions' counting; higher ones come first.",
      insecureSkipTLSVerify:
        "Whether the server's certificate is not checked; excludes caBundle. Default: false.",
      service: "Service of the server that answers. Unset: this server itself.",
      version: "The version; the object is named version.group.",
      versionPriority:
        "Rank of the version in its group, 1 to 1000; higher ones come first, then v2 before v1 before v1beta1.",
    },
  },
  APIServiceCondition: {
    fields: { ...conditionFields, type: "Available: requests can be answered." },
  },
  APIServiceStatus: {
    fields: { conditions: "Whether requests can be answered." },
  },
  APIService: {
    about: "Says which server answers for a group and version.",
    fields: {
      spec: "Which group and version it is, who serves it, and how it ranks.",
      status: "Whether requests can be answered.",
    },
  },
};
