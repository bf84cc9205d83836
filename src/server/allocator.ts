/** The allocator of the C library. */
export interface Allocator {
  /** Gives pages that only hold freed memory back to the system, and lets threads give back what they free, until `keepFreed`. */
  giveBack(): Promise<void>;
  /** Lets it keep several megabytes of freed memory for reuse, in each arena. */
  keepFreed(): void;
}

/** `M_TRIM_THRESHOLD` of `malloc.h`: so much may be free at the end of an arena. */
const trimThreshold = -1;
/** `M_MMAP_THRESHOLD`: larger blocks are pages of their own. */
const mmapThreshold = -3;
const quietBytes = 128 * 1024;
/** glibc raises both to the largest block that it has seen freed, 3.6 MB at a start, until one of them is set. */
const busyBytes = 4 * 1024 * 1024;
/** `free` looks at the end of an arena when at least 64 KiB are free there. */
const blockBytes = 128 * 1024;
/** Enough that each thread of the pool allocates one. */
const blocks = 16;

/**
 * Undefined where the C library has no `malloc_trim` (musl, macOS), and where native code cannot be loaded. The work is done by threads of
 * the pool; others that allocate wait while it is at their arena. Thresholds in the process's environment are left as they are.
 */
export async function loadAllocator(): Promise<Allocator | undefined> {
  try {
    const { default: koffi } = await import("koffi");
    const library = koffi.load(null);
    const inThread = promisified(library.func("int malloc_trim(size_t pad)"));
    const allocate = promisified(library.func("void *malloc(size_t size)"));
    const free = library.func("void free(void *block)");
    const mallopt = library.func("int mallopt(int parameter, int value)");
    const isGiven = areThresholdsGiven(process.env);
    const setTrimThreshold = (bytes: number) => {
      if (isGiven) return;
      mallopt(mmapThreshold, busyBytes);
      mallopt(trimThreshold, bytes);
    };
    return {
      async giveBack() {
        setTrimThreshold(quietBytes);
        // `malloc_trim` leaves the ends of the threads' arenas alone.
        const allocated = await Promise.all(Array.from({ length: blocks }, () => allocate(blockBytes)));
        for (const block of allocated) free(block);
        await inThread(0);
      },
      keepFreed: () => setTrimThreshold(busyBytes),
    };
  } catch {
    return undefined;
  }
}

/** By who started the process. */
function areThresholdsGiven(env: NodeJS.ProcessEnv): boolean {
  const { MALLOC_TRIM_THRESHOLD_, MALLOC_MMAP_THRESHOLD_, GLIBC_TUNABLES = "" } = env;
  if (MALLOC_TRIM_THRESHOLD_ !== undefined || MALLOC_MMAP_THRESHOLD_ !== undefined) return true;
  return /glibc\.malloc\.(?:trim|mmap)_threshold/.test(GLIBC_TUNABLES);
}

/** What runs the function on a thread of the pool. */
function promisified(foreign: {
  async: (...args: unknown[]) => void;
}): (argument: number) => Promise<unknown> {
  return (argument) =>
    new Promise((resolve, reject) => {
      foreign.async(argument, (error: unknown, result: unknown) =>
        error == null ? resolve(result) : reject(error),
      );
    });
}
