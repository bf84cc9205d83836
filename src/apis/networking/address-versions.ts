/** Older versions of addresses and ranges of services, which have the same fields as the hub. */
export const olderAddressVersions = [
  {
    version: "v1beta1",
    since: "1.31",
    lifecycle: { introduced: "1.31", deprecated: "1.34", removed: "1.37" },
  },
  {
    version: "v1alpha1",
    until: "1.31",
    lifecycle: { introduced: "1.27", deprecated: "1.30", removed: "1.33" },
  },
] as const;

export const addressStorage = {
  version: "v1",
  before: { "1.34": { version: "v1beta1" }, "1.31": { version: "v1alpha1" } },
} as const;
