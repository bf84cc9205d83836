export interface PemBlock {
  /** `CERTIFICATE REQUEST`. */
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const boundary = /^-----(BEGIN|END) (.*)-----$/;

/** The complete blocks of a PEM text (RFC 7468); text between them is skipped. */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let open: { readonly type: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const [, edge, type = ""] = boundary.exec(line.trimEnd()) ?? [];
    if (edge === undefined) open?.lines.push(line);
    else if (edge === "BEGIN") open = { type, lines: [] };
    else {
      if (open?.type === type) blocks.push(blockOf(type, open.lines.join("\n")));
      open = undefined;
    }
  }
  return blocks;
}

function blockOf(type: string, body: string): PemBlock {
  const hasHeaders = /^[^\r\n:]+:/.test(body);
  const data = hasHeaders ? body.replace(/^[\s\S]*?\r?\n\r?\n/, "") : body;
  return { type, hasHeaders, bytes: Buffer.from(data, "base64") };
}
