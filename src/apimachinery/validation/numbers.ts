import { rangeMessage } from "./messages.js";

/** Of users and groups. */
const idMax = 0x7fff_ffff;

export function isInRange(value: number | bigint, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [rangeMessage(low, high)];
}

export function isValidPortNum(port: number | bigint): string[] {
  return isInRange(port, 1, 65_535);
}

export function isValidUserId(uid: number | bigint): string[] {
  return isInRange(uid, 0, idMax);
}

export function isValidGroupId(gid: number | bigint): string[] {
  return isInRange(gid, 0, idMax);
}
