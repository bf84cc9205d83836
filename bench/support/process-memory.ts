import { readFileSync } from "node:fs";

export function residentBytes(pid: number): number {
  return memoryBytes(pid, "VmRSS");
}

/** Resident memory without mapped files. */
export function privateBytes(pid: number): number {
  return memoryBytes(pid, "RssAnon");
}

function memoryBytes(pid: number, name: string): number {
  const kilobytes = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? Number.NaN) * 1024;
}
