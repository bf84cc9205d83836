/** The longest hand that validation allows for this many queues. Limits the work per request. */
const handSizeMax = 15;

/**
 * Deals `handSize` different queues out of `queues` to a flow, always the same for the same hash. Few flows share a whole hand, so a
 * heavy flow rarely fills all queues of a light one. Source: KEP-1040.
 */
export function dealHand(hash: number, queues: number, handSize: number): number[] {
  const size = Math.min(handSize, queues, handSizeMax);
  const hand: number[] = [];
  let left = hash;
  for (let dealt = 0; dealt < size; dealt++) {
    const cards = queues - dealt;
    let card = left % cards;
    // A 32-bit hash is enough for four cards of a usual deck; the rest comes from rehashing it.
    left = Math.floor(left / cards);
    if (left < cards) left = mix(hash + dealt + 1);
    for (const taken of [...hand].sort((a, b) => a - b)) if (taken <= card) card++;
    hand.push(card);
  }
  return hand;
}

/** FNV-1a, 32 bits, with a final mix. */
export function flowHash(flowSchema: string, distinguisher: string): number {
  let hash = 0x811c9dc5;
  for (const text of [flowSchema, "\0", distinguisher]) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return mix(hash);
}

/** The finalizer of MurmurHash3: every bit of the input changes half of the output. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
