const redacted = "[redacted]";

/** Patterns of secrets. The first group is kept. */
const secrets: readonly RegExp[] = [
  // Credentials in URLs: up to the `@` of the authority.
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@"]{1,512}(?=@)/gi,
  /(\b(?:bearer|basic|negotiate) )[\w~+/.=-]{8,}/gi,
  /(\b(?:[a-z]{0,20}[_-])?(?:password|passwd|secret|token|api-?key|private-?key)\\?["']?[=:]\s?\\?["']?)[^\s"'\\,;&}]{1,4096}/gi,
  // JSON Web Tokens.
  /()\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
];
const privateKeys = /(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----)[\w+/=\s\\]*/g;

/**
 * `--experimental-logging-sanitization`: the line without passwords, tokens and private keys. The values that the server logs
 * have none by themselves; this is for the texts of errors, of other programs' answers above all.
 */
export function sanitizeLine(line: string): string {
  let clean = line.replace(privateKeys, `$1${redacted}`);
  for (const secret of secrets) clean = clean.replace(secret, `$1${redacted}`);
  return clean;
}
