export interface PemBlock {
  /** `CERTIFICATE REQUEST`. */
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const block = /^-----BEGIN ([^\r\n]*)-----[ \t]*\r?\n([\s\S]*?)^-----END \1-----[ \t]*$/gm;

/** The blocks of a PEM text (RFC 7468); what stands between them is skipped. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(block)].map(([, type = "", body = ""]) => {
    const hasHeaders = /^[^\r\n:]+:/.test(body);
    const data = hasHeaders ? body.replace(/^[\s\S]*?\r?\n\r?\n/, "") : body;
    return { type, hasHeaders, bytes: Buffer.from(data, "base64") };
  });
}
