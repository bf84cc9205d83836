import { type DerElement, derElements } from "../../../apimachinery/values/der.js";

export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
}

/** 2.5.29.17. */
const alternativeNamesId = "551d11";
const sequence = 0x30;
const octets = 0x04;
const extensionsTag = 0xa3;
const emailTag = 0x81;
const dnsTag = 0x82;

/** The subject alternative names of a certificate (RFC 5280, 4.2.1.6), which is well formed. */
export function alternativeNames(certificate: Uint8Array): AlternativeNames {
  const [outer] = derElements(certificate);
  const [body] = childrenOf(outer);
  const list = childrenOf(body).find(({ tag }) => tag === extensionsTag);
  const names = childrenOf(childrenOf(list)[0])
    .map(childrenOf)
    .filter(([id]) => Buffer.from(id?.content ?? []).toString("hex") === alternativeNamesId)
    .flatMap((extension) => extension.filter(({ tag }) => tag === octets))
    .flatMap(({ content }) => derElements(content).filter(({ tag }) => tag === sequence))
    .flatMap(({ content }) => derElements(content));
  const textsOf = (wanted: number): string[] =>
    names.filter(({ tag }) => tag === wanted).map(({ content }) => Buffer.from(content).toString("latin1"));
  return { dns: textsOf(dnsTag), emails: textsOf(emailTag) };
}

function childrenOf(element: DerElement | undefined): DerElement[] {
  return element === undefined ? [] : derElements(element.content);
}
