import { rangeMessage } from "./messages.js";

function isInRange(value: number | bigint, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [rangeMessage(low, high)];
}

export function isValidPortNum(port: number | bigint): string[] {
  return isInRange(port, 1, 65_535);
}
