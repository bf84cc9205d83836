const redacted = "[redacted]";

/** Patterns of secrets. The first group is kept. */
const secrets: readonly RegExp[] = [
  // Credentials in URLs: up to the last `@` of the authority.
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"]{1,512}(?=@)/gi,
  /(\b[a-z][a-z0-9+.-]{1,20}%3a%2f%2f)(?:(?!%2f|%3f|%23)[^\s/?#"&]){1,512}(?=%40)/gi,
  /(\b(?:bearer|basic|negotiate)(?: |%20|\+))[\w~+/.=%-]{8,}/gi,
  /(--[\w-]{0,40}(?:password|passphrase|secret|token) )[^\s"'\\-][^\s"'\\]*/gi,
  // JSON Web Tokens.
  /()\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  // The protocol by which a browser sends a token with a WebSocket.
  /(\bbase64url\.bearer\.authorization\.(?:[a-z0-9-]{1,63}\.){1,8})[\w-]{6,}/gi,
  // Bootstrap tokens.
  /(\b[a-z0-9]{6}\.)[a-z0-9]{16}\b/g,
];
const privateKeys = /(-----BEGIN(?:[A-Z ]|%20|\+){0,30}PRIVATE(?: |%20|\+)KEY-----)[\w+/=\s\\%]*/g;

const names = [
  "passw(?:or)?d",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "credentials?",
  "cookie",
  "authorization",
  "(?:api|access|private|secret|client|signing|encryption|account|shared)[-_]?key(?:[-_]?data)?",
  "(?<=[\"'])auth",
].join("|");
const plainQuote = String.raw`\\*["']`;
const encodedQuote = "(?:%(?:25)*5c)*%(?:25)*2[27]";
const quote = `${plainQuote}|${encodedQuote}`;
const separator = "[=:]|%(?:25)*3[ad]";
const space = String.raw`\s|%(?:25)*20|\+`;

/** The end of a field's name, up to its value. */
const field = new RegExp(
  `(?<name>${names})(?<closing>${quote})?(?:${separator})(?:${space})?(?<opening>${quote})?`,
  "gi",
);
/** Found from its first escape on, because trying each would take quadratic time. */
const anyQuote = new RegExp(String.raw`(?<!\\)${plainQuote}|(?<!%(?:25)*5c)${encodedQuote}`, "gi");
const wordEnd = /[\s"'\\&]|$/g;
const jsonEnd = /[\s"'\\&,\]}]|$/g;
const encodedEnd = /[\s"'\\&]|%(?:25)*(?:20|2[267c]|3b|5d|7d|0[ad])|$/gi;
const headerEnd = /["'\n]|$/g;
const scheme = /[a-z]+ /iy;

/**
 * `--experimental-logging-sanitization`: removes passwords, tokens and private keys from a line. The values that the server logs contain
 * none; this is for error texts, above all those of other programs. Kubernetes' filter finds secret fields by a struct tag; in text, they
 * are found by their name and form.
 */
export function sanitizeLine(line: string): string {
  let clean = line.replace(privateKeys, `$1${redacted}`);
  for (const secret of secrets) clean = clean.replace(secret, `$1${redacted}`);
  return withoutSecretFields(clean);
}

function withoutSecretFields(line: string): string {
  let clean = "";
  let from = 0;
  field.lastIndex = 0;
  for (let found = field.exec(line); found !== null; found = field.exec(line)) {
    const start = startOfValue(line, found);
    const end = endOfValue(line, start, found);
    if (end > start) {
      clean += `${line.slice(from, start)}${redacted}`;
      from = end;
    }
    field.lastIndex = Math.max(end, start);
  }
  return clean + line.slice(from);
}

/** The scheme of a header's credentials is kept. */
function startOfValue(line: string, found: RegExpExecArray): number {
  const start = found.index + found[0].length;
  if (found.groups?.name?.toLowerCase() !== "authorization") return start;
  scheme.lastIndex = start;
  return scheme.test(line) ? scheme.lastIndex : start;
}

function endOfValue(line: string, start: number, found: RegExpExecArray): number {
  const { name = "", closing, opening } = found.groups ?? {};
  if (opening !== undefined) return endOfQuoted(line, start, opening);
  const isHeader = /^(?:cookie|authorization)$/i.test(name);
  if (isHeader && !found[0].includes("%")) return indexOfNext(headerEnd, line, start);
  if (found[0].includes("%")) return indexOfNext(encodedEnd, line, start);
  return indexOfNext(closing === undefined ? wordEnd : jsonEnd, line, start);
}

/** Quotes inside the value have more escapes before them than the one that opens it. */
function endOfQuoted(line: string, start: number, opening: string): number {
  const isEncoded = opening.includes("%");
  anyQuote.lastIndex = start;
  for (let found = anyQuote.exec(line); found !== null; found = anyQuote.exec(line)) {
    const [next] = found;
    const isAlike = next.includes("%") === isEncoded && next.at(-1) === opening.at(-1);
    if (isAlike && next.length <= opening.length) return found.index;
    // An encoded value does not go beyond the text that contains it.
    if (isEncoded && !next.includes("%")) return found.index;
  }
  return line.length;
}

function indexOfNext(pattern: RegExp, line: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(line)?.index ?? line.length;
}
