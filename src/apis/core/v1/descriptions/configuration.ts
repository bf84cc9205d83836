import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const immutable =
  "Whether the entries can no longer be changed. Once true it stays so; only deletion helps. Default: false.";

export const configurationDescriptions: TypeDescriptions = {
  ConfigMap: {
    about: "Configuration as pairs of key and value, 1 MiB at most.",
    fields: {
      binaryData: "Entries that are not UTF-8 text, in base64. No key may be in data too.",
      data: "Entries that are UTF-8 text. Keys have up to 253 letters, digits, '-', '_' and '.'.",
      immutable,
    },
  },
  Secret: {
    about: "Data that not everybody may see, such as passwords and keys, 1 MiB at most.",
    fields: {
      data: "Entries, in base64. Keys have up to 253 letters, digits, '-', '_' and '.'.",
      immutable,
      stringData:
        "Entries as plain text, for writing only: they replace those of data and are never read back.",
      type: "What the entries are for, which decides which keys are required. Default: Opaque. Cannot be changed.",
    },
  },
  ServiceAccount: {
    about: "An identity for programs that run in pods.",
    fields: {
      automountServiceAccountToken:
        "Whether its pods get a token mounted, unless they say otherwise themselves. Default: true.",
      imagePullSecrets:
        "Secrets with registry credentials, added to its pods when they name none themselves.",
      secrets:
        "Secrets of the account, such as its tokens. An annotation can forbid its pods to mount others.",
    },
  },
};
