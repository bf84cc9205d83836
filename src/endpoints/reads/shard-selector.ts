import { messageOf } from "../../apimachinery/errors/message-of.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { ObjectAttributes } from "../../storage/object-store.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";

/** Selects a shard of a collection by the hash of a field's value. */
export interface ShardSelector {
  /** The text, which answers repeat. */
  readonly text: string;
  matches(attributes: ObjectAttributes): boolean;
}

interface ShardRange {
  readonly field: string;
  /** Hexadecimal; the end is exclusive. */
  readonly start: string;
  readonly end: string;
}

const fields = ["object.metadata.uid", "object.metadata.namespace"];
/** 2^64 has seventeen digits. */
const digits = 16;
const end = "10000000000000000";
/** More than any number of shards needs. */
const rangesMax = 1000;

/** The shard that a list or watch requests; undefined for all objects. Throws 400. */
export function shardOf<T extends ApiObject>(
  { view: { definition }, settings: { shards } }: ResourceEndpoint<T>,
  { query, info }: Pick<ApiRequest, "query" | "info">,
): ShardSelector | undefined {
  const text = query.get("shardSelector") ?? "";
  if (shards === undefined || text === "") return undefined;
  const selector = parseShardSelector(text);
  if (info.verb !== "watch") return selector;
  return {
    text: selector.text,
    matches(attributes) {
      const isMatch = selector.matches(attributes);
      if (!isMatch) shards.filtered(definition);
      return isMatch;
    },
  };
}

/**
 * Reads `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')`, or several with `||` between them. Throws 400.
 * Source: apiserver `pkg/sharding/parser.go`.
 */
export function parseShardSelector(text: string): ShardSelector {
  try {
    return selectorOf(text);
  } catch (error) {
    throw badRequest(`invalid shard selector: ${messageOf(error)}`, error);
  }
}

function selectorOf(text: string): ShardSelector {
  if (text.trim() === "") {
    throw new Error("empty shard selector is not allowed; omit the parameter for unfiltered lists");
  }
  const parts = text.split("||");
  if (parts.length > rangesMax) throw new Error(`more than ${rangesMax} ranges`);
  const ranges = parts.map(rangeOf);
  const field = ranges[0]?.field ?? "";
  const other = ranges.find((range) => range.field !== field);
  if (other !== undefined) {
    throw new Error(
      `all shard ranges must use the same field, got ${JSON.stringify(field)} and ${JSON.stringify(other.field)}`,
    );
  }
  const attribute = field.slice("object.".length);
  return {
    text: ranges.map((each) => `shardRange(${each.field}, '0x${each.start}', '0x${each.end}')`).join(" || "),
    matches({ fields: { [attribute]: value = "" } }) {
      const hash = hashOf(value);
      return ranges.some((range) => !isLess(hash, range.start) && isLess(hash, range.end));
    },
  };
}

const call = /^([\w.]+)\(([^()]*)\)$/;

function rangeOf(part: string): ShardRange {
  const [, name, list] = call.exec(part.trim()) ?? [];
  if (name === undefined || list === undefined) throw new Error("expected shardRange() call or || operator");
  if (name !== "shardRange") {
    throw new Error(`unsupported function ${JSON.stringify(name)}; only shardRange() and || are allowed`);
  }
  const given = list.trim() === "" ? [] : list.split(",").map((argument) => argument.trim());
  const [field, from, to] = given;
  if (given.length !== 3 || field === undefined || from === undefined || to === undefined) {
    throw new Error(`shardRange() requires exactly 3 arguments, got ${given.length}`);
  }
  if (!fields.includes(field)) {
    throw new Error(`unsupported field path ${JSON.stringify(field)}; supported: ${fields.join(", ")}`);
  }
  const range = { field, start: digitsOf(from, "hexStart"), end: digitsOf(to, "hexEnd") };
  if (!isLess(range.start, range.end)) {
    throw new Error(`shard range start 0x${range.start} must be less than end 0x${range.end}`);
  }
  return range;
}

function digitsOf(literal: string, name: string): string {
  const [, , text] = /^(['"])(.*)\1$/.exec(literal) ?? [];
  if (text === undefined) throw new Error(`${name} must be a string literal (e.g. '0xff')`);
  if (!text.startsWith("0x")) throw new Error(`${name} must have '0x' prefix, got ${JSON.stringify(text)}`);
  const hex = text.slice(2);
  if (!/^[0-9a-f]+$/.test(hex)) throw new Error(`${name}: invalid hex value ${JSON.stringify(text)}`);
  if (hex.length === digits || hex === end) return hex;
  if (hex.length > digits) {
    throw new Error(`${name}: 17-digit hex value must be '0x${end}' (2^64), got ${JSON.stringify(text)}`);
  }
  const padded = `0x${hex.padStart(digits, "0")}`;
  throw new Error(
    `${name} must be a 0x-prefixed 16-digit hex value, got ${JSON.stringify(text)} (did you mean ${JSON.stringify(padded)}?)`,
  );
}

function isLess(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** FNV-1a of 64 bits, as sixteen hexadecimal digits. Computed in two halves of 32 bits: big integers take twenty times as long. */
function hashOf(value: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of Buffer.from(value)) {
    low = (low ^ byte) >>> 0;
    // Times 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
