import { getHeapStatistics } from "node:v8";

/** V8 starts a collection when more than 64 MiB of buffers were allocated since the last. */
const triggerBytes = 72 * 1024 * 1024;
/** Larger heaps are left to V8: the last step of a collection takes longer the more is alive. */
const heapBytesMax = 256 * 1024 * 1024;

/**
 * Has V8 collect garbage, most of it in parallel with the event loop: the last step took 10 ms for a heap of 60 MB. Without work V8
 * collects a few times and then never again, whatever is released later. The buffer is never touched, so it takes no memory.
 */
export function requestGarbageCollection(): void {
  if (getHeapStatistics().total_heap_size > heapBytesMax) return;
  try {
    new ArrayBuffer(triggerBytes);
  } catch {
    // The process's address space is limited, so this is left to V8.
  }
}
