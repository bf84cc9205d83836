import { createHash } from "node:crypto";

/** A name or content as Kubernetes' metrics show it: `sha256:` and the digest in hexadecimal. */
export function labelHash(content: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
