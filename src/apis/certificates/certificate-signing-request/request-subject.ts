import { type DerElement, derElements } from "./der-element.js";
import { pemBlocks } from "./pem-block.js";

/** 2.5.4.10. */
const organizationId = "55040a";
const bmpString = 0x1e;

/** The organizations in the subject of a PKCS #10 request (RFC 2986) in a PEM block. Throws an `Error` for a malformed request. */
export function requestOrganizations(pem: string): readonly string[] {
  const [block] = pemBlocks(pem);
  if (block?.type !== "CERTIFICATE REQUEST") throw new Error("PEM block type must be CERTIFICATE REQUEST");
  try {
    const [request] = derElements(block.bytes);
    const [info] = childrenOf(request);
    const [, subject] = childrenOf(info);
    return childrenOf(subject)
      .flatMap(({ content }) => derElements(content))
      .flatMap((attribute) => {
        const [identifier, value] = childrenOf(attribute);
        const id = Buffer.from(identifier?.content ?? []).toString("hex");
        return id === organizationId && value !== undefined ? [textOf(value)] : [];
      });
  } catch (error) {
    throw new Error("asn1: structure error: the block is no certificate request", { cause: error });
  }
}

function childrenOf(element: DerElement | undefined): DerElement[] {
  if (element?.tag !== 0x30) throw new RangeError("a sequence is missing");
  return derElements(element.content);
}

function textOf({ tag, content }: DerElement): string {
  const bytes = Buffer.from(content);
  return tag === bmpString && bytes.length % 2 === 0
    ? bytes.swap16().toString("utf16le")
    : bytes.toString("utf8");
}
