import type { TypeDescriptions } from "./type-descriptions.js";

export const configurationTypes: TypeDescriptions = {
  ConfigMap: {
    about: "Configuration as pairs of key and value.",
    fields: {
      binaryData: "Entries that are bytes.",
      data: "Entries that are text.",
      immutable: "Whether the data can never be changed.",
    },
  },
  Secret: {
    about: "Data that not everybody may see.",
    fields: {
      data: "Entries, in base64.",
      immutable: "Whether the data can never be changed.",
      stringData: "Entries as text, for writing only: they become data.",
      type: "What the entries are for.",
    },
  },
  ServiceAccount: {
    about: "An identity for programs.",
    fields: {
      automountServiceAccountToken: "Whether pods get a token mounted.",
      imagePullSecrets: "Secrets with which its pods pull images.",
      secrets: "Secrets that its pods may use.",
    },
  },
};
