import { parseMediaTypeName } from "../../naming/media-types.js";
import { isEndpointUrl } from "./checks.js";
import { formatCommaSeparated, parseCommaSeparated } from "./comma-separated.js";
import { parseInteger, type ValueType } from "./value-types.js";

/** Separate servers for one resource. */
export interface StoreServersOverride {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

/** `group/resource#servers`, servers separated by semicolons; occurrences and comma lists add up. */
export const storeServersOverrides: ValueType<readonly StoreServersOverride[]> = {
  typeName: "strings",
  parse: (given, previous) => {
    const items = parseCommaSeparated(given);
    if ("problem" in items) return items;
    const overrides = [...(previous ?? [])];
    for (const item of items.value) {
      const match = /^([^/#]*)\/([^/#]+)#([^#]+)$/.exec(item);
      const servers = (match?.[3] ?? "").split(";");
      if (!match || !servers.every(isEndpointUrl)) {
        return {
          problem: `invalid ${JSON.stringify(item)}, must be of format: group/resource#servers, where servers are URLs, semicolon separated`,
        };
      }
      overrides.push({ group: match[1] ?? "", resource: match[2] ?? "", servers });
    }
    return { value: overrides };
  },
  format: (overrides) =>
    formatCommaSeparated(
      overrides.map(({ group, resource, servers }) => `${group}/${resource}#${servers.join(";")}`),
    ),
};

export interface WatchCacheSize {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** Number of events kept; 0 disables the resource's cache. */
  readonly size: number;
}

/** `resource[.group]#size`; occurrences and comma lists add up. */
export const watchCacheSizes: ValueType<readonly WatchCacheSize[]> = {
  typeName: "strings",
  parse: (given, previous) => {
    const items = parseCommaSeparated(given);
    if ("problem" in items) return items;
    const sizes = [...(previous ?? [])];
    for (const item of items.value) {
      const [name = "", sizeText, ...rest] = item.split("#");
      if (name === "" || sizeText === undefined || rest.length > 0) {
        return { problem: `invalid value of watch cache size: ${item} (expected resource[.group]#size)` };
      }
      const size = parseInteger(sizeText);
      if ("problem" in size) return { problem: `invalid size of watch cache size: ${item}` };
      if (size.value < 0) return { problem: `watch cache size cannot be negative: ${item}` };
      const dot = name.indexOf(".");
      sizes.push({
        resource: dot < 0 ? name : name.slice(0, dot),
        group: dot < 0 ? "" : name.slice(dot + 1),
        size: size.value,
      });
    }
    return { value: sizes };
  },
  format: (sizes) =>
    sizes.map(({ group, resource, size }) => `${resource}${group && `.${group}`}#${size}`).join(","),
};

export type StorageMediaType = "protobuf" | "json";

/** Accepts either profile's name of protobuf. An empty name means JSON. */
export const storageMediaType: ValueType<StorageMediaType> = {
  typeName: "string",
  parse: (given, _previous, naming) => {
    const value = given === "" ? "json" : parseMediaTypeName(given);
    if (value === "protobuf" || value === "json") return { value };
    return {
      problem: `invalid value ${JSON.stringify(given)}, allowed values: application/json, ${naming.protobufMediaType}`,
    };
  },
  format: (value, naming) => (value === "json" ? "application/json" : naming.protobufMediaType),
};

/** The only backend protocol; its name contains a vendor word in the other profile. */
export const storageBackend: ValueType<"store3"> = {
  typeName: "string",
  parse: (given, _previous, naming) =>
    given === "" || given === "store3" || given === naming.storeBackend
      ? { value: "store3" }
      : { problem: `invalid value ${JSON.stringify(given)}, allowed values: ${naming.storeBackend}` },
  format: (_value, naming) => naming.storeBackend,
};
