export interface SchemeNamePort {
  readonly scheme: "" | "http" | "https";
  readonly name: string;
  /** Number or name; empty when not given. */
  readonly port: string;
}

/** `name`, `name:port` or `scheme:name:port`, as the names in proxy paths may be written; undefined for anything else. */
export function parseSchemeNamePort(id: string): SchemeNamePort | undefined {
  const parts = id.split(":", 4);
  const [scheme, name, port] =
    parts.length === 1
      ? ["", parts[0], ""]
      : parts.length === 2
        ? ["", ...parts]
        : parts.length === 3
          ? parts
          : [];
  if (name === undefined || name === "" || port === undefined) return undefined;
  if (scheme !== "" && scheme !== "http" && scheme !== "https") return undefined;
  return { scheme, name, port };
}
