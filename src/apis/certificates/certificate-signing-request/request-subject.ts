import { type DerElement, derElements, derSequence } from "../../../apimachinery/values/der.js";
import { pemBlocks } from "../../checks/pem-blocks.js";

/** 2.5.4.3. */
const commonNameId = "550403";
/** 2.5.4.10. */
const organizationId = "55040a";
const bmpString = 0x1e;

export interface RequestSubject {
  /** The last common name; empty without one. */
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** The subject of a PKCS #10 request (RFC 2986) in a PEM block. Throws an `Error` for a malformed request. */
export function requestSubject(pem: string): RequestSubject {
  const [block] = pemBlocks(pem);
  if (block?.type !== "CERTIFICATE REQUEST") throw new Error("PEM block type must be CERTIFICATE REQUEST");
  try {
    const [request] = derElements(block.bytes);
    const [info] = derSequence(request);
    const [, subject] = derSequence(info);
    const attributes = derSequence(subject)
      .flatMap(({ content }) => derElements(content))
      .map((attribute) => {
        const [identifier, value] = derSequence(attribute);
        const id = Buffer.from(identifier?.content ?? []).toString("hex");
        return { id, text: value === undefined ? "" : textOf(value) };
      });
    const valuesOf = (wanted: string): string[] =>
      attributes.filter(({ id }) => id === wanted).map(({ text }) => text);
    return { commonName: valuesOf(commonNameId).at(-1) ?? "", organizations: valuesOf(organizationId) };
  } catch (error) {
    throw new Error("asn1: structure error: the block is no certificate request", { cause: error });
  }
}

function textOf({ tag, content }: DerElement): string {
  const bytes = Buffer.from(content);
  return tag === bmpString && bytes.length % 2 === 0
    ? bytes.swap16().toString("utf16le")
    : bytes.toString("utf8");
}
