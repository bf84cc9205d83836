/** Few batches are in flight at a time; the others of this round are rebuilt when needed. */
const rememberedMax = 32;

interface Frames {
  readonly events: readonly Buffer[];
  joined: Buffer | undefined;
  chunk: Buffer | undefined;
}

/** Joins events into the bytes of one write, once for all watchers that receive the same events. */
export class SharedFrames {
  readonly #byFirst = new Map<Buffer, Frames>();

  /** The events, concatenated. */
  joined(events: readonly Buffer[]): Buffer {
    const [first] = events;
    if (first !== undefined && events.length === 1) return first;
    const frames = this.#framesOf(events);
    frames.joined ??= Buffer.concat(events);
    return frames.joined;
  }

  /** The same, as one HTTP/1.1 chunk. */
  chunk(events: readonly Buffer[]): Buffer {
    const frames = this.#framesOf(events);
    frames.chunk ??= chunkOf(events);
    return frames.chunk;
  }

  clear(): void {
    this.#byFirst.clear();
  }

  #framesOf(events: readonly Buffer[]): Frames {
    const [first = empty] = events;
    const known = this.#byFirst.get(first);
    if (known !== undefined && sameEvents(known.events, events)) return known;
    if (this.#byFirst.size >= rememberedMax) this.#byFirst.clear();
    const frames: Frames = { events, joined: undefined, chunk: undefined };
    this.#byFirst.set(first, frames);
    return frames;
  }
}

const empty = Buffer.alloc(0);

function sameEvents(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** RFC 9112 §7.1: length in hexadecimal, CRLF, data, CRLF. */
function chunkOf(events: readonly Buffer[]): Buffer {
  let bytes = 0;
  for (const event of events) bytes += event.length;
  const head = `${bytes.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafe(head.length + bytes + 2);
  let at = chunk.write(head, 0, "latin1");
  for (const event of events) {
    chunk.set(event, at);
    at += event.length;
  }
  chunk[at] = 0x0d;
  chunk[at + 1] = 0x0a;
  return chunk;
}
