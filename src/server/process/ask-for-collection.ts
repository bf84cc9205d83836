import { getHeapStatistics } from "node:v8";

/** Beyond 64 MiB of buffers that were allocated since its last collection, V8 begins the next one. */
const nudgeBytes = 72 * 1024 * 1024;
/** A larger heap waits for V8 to collect it: the last step of a collection grows with what is alive. */
const heapBytesMax = 256 * 1024 * 1024;

/**
 * Has V8 collect garbage, most of it beside the event loop: the last step took 10 ms for a heap of 60 MB. Without work V8 collects a few
 * times and then never again, whatever is released later. The buffer is never touched, so it takes no memory.
 */
export function askForCollection(): void {
  if (getHeapStatistics().total_heap_size > heapBytesMax) return;
  try {
    new ArrayBuffer(nudgeBytes);
  } catch {
    // Limits on the process's addresses: V8 decides alone.
  }
}
