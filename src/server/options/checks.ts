import { isIP } from "node:net";

type Check<T> = (value: T, flag: string) => string | undefined;

export const notNegative: Check<number> = (value, flag) =>
  value < 0 ? `${flag} can not be a negative value` : undefined;

export const positive: Check<number> = (value, flag) =>
  value <= 0 ? `${flag} should be a positive number, but value '${value}' provided` : undefined;

/** Inclusive at both ends; `hint` explains the bounds. */
export function between(range: { min: number; max: number; hint?: string }): Check<number> {
  return (value, flag) =>
    value < range.min || value > range.max
      ? `${flag} ${value} must be between ${range.min} and ${range.max}, inclusive${range.hint ? `. ${range.hint}` : ""}`
      : undefined;
}

export const ipAddress: Check<string> = (value, flag) =>
  isIP(value) === 0 ? `${flag}: ${JSON.stringify(value)} is not an IP address` : undefined;

export const noBlankItems: Check<readonly string[]> = (values, flag) =>
  values.some((value) => value.trim() === "") ? `${flag}: empty value in the list` : undefined;

/** Whole `http` and `https` URLs, comma separated, as a store's client endpoints are given. */
export const endpointUrls: Check<readonly string[]> = (values, flag) => {
  const bad = values.find((value) => !isEndpointUrl(value));
  return bad === undefined
    ? undefined
    : `${flag}: ${JSON.stringify(bad)} is not of the form scheme://ip:port (http or https)`;
};

export function isEndpointUrl(text: string): boolean {
  return /^https?:\/\/[^/\s]/.test(text) && URL.canParse(text);
}

export const httpsUrl: Check<string> = (value, flag) => {
  if (!URL.canParse(value)) return `${flag} must be a valid URL: ${JSON.stringify(value)}`;
  const { protocol } = new URL(value);
  return protocol === "https:"
    ? undefined
    : `${flag} requires https scheme, parsed as: ${protocol.slice(0, -1)}`;
};
