const hexIdentifier = /^[a-f0-9]{64}$/;
const digestShape = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const digestHexLengths: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);

const domainPart = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const pathPart = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const reference = new RegExp(
  `^(${domainPart}(?:\\.${domainPart})*(?::[0-9]+)?/${pathPart}(?:/${pathPart})*)(?::(\\w[\\w.-]{0,127}))?(?:@(.+))?$`,
);
const nameLengthMax = 255;
/** Longer than any name with tag and digest; matching megabytes would take too long. */
const imageLengthMax = 1024;
const defaultDomain = "docker.io";

export interface ImageName {
  /** `latest` when the text has neither tag nor digest; empty when it has only a digest. */
  readonly tag: string;
  readonly digest: string;
}

/**
 * Parses an image reference as container runtimes normalize it; undefined when it is invalid. Source: the grammar of
 * `distribution/reference`.
 */
export function parseImageName(image: string): ImageName | undefined {
  if (image.length > imageLengthMax || hexIdentifier.test(image)) return undefined;
  const { domain, remainder } = splitDomain(image);
  const colon = remainder.indexOf(":");
  const remoteName = colon < 0 ? remainder : remainder.slice(0, colon);
  if (remoteName.toLowerCase() !== remoteName) return undefined;
  const found = reference.exec(`${domain}/${remainder}`);
  if (found === null) return undefined;
  const [, name = "", tag = "", digest = ""] = found;
  if (name.length > nameLengthMax) return undefined;
  if (digest !== "" && !isDigest(digest)) return undefined;
  return { tag: tag === "" && digest === "" ? "latest" : tag, digest };
}

function splitDomain(image: string): { domain: string; remainder: string } {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const hasDomain = slash >= 0 && (/[.:]/.test(first) || first === "localhost");
  let domain = hasDomain ? first : defaultDomain;
  let remainder = hasDomain ? image.slice(slash + 1) : image;
  if (domain === `index.${defaultDomain}`) domain = defaultDomain;
  if (domain === defaultDomain && !remainder.includes("/")) remainder = `library/${remainder}`;
  return { domain, remainder };
}

function isDigest(digest: string): boolean {
  if (!digestShape.test(digest)) return false;
  const colon = digest.indexOf(":");
  const hex = digest.slice(colon + 1);
  return hex.length === digestHexLengths.get(digest.slice(0, colon)) && /^[a-f0-9]+$/.test(hex);
}

/** An unparsable name has no tag, so it is not `latest`. */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  return parseImageName(image)?.tag === "latest" ? "Always" : "IfNotPresent";
}
