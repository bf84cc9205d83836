/** The allocator of the C library. */
export interface Allocator {
  /** Gives pages that only hold freed memory back to the system. */
  giveBack(): Promise<void>;
}

/** `M_TRIM_THRESHOLD` of `malloc.h`: this much may be free at the end of an arena. */
const trimThreshold = -1;
/** `M_MMAP_THRESHOLD`: larger blocks get their own pages. */
const mmapThreshold = -3;
/**
 * Without these two, glibc raises both to the largest freed block, up to 64 and 32 MB, in each of a dozen arenas. Measured with objects of
 * a megabyte: no difference in processor time, at most a tenth more page faults.
 */
const endBytes = 1024 * 1024;
const mappedBytes = 4 * 1024 * 1024;
/** The threshold while memory is being returned. */
const smallestEndBytes = 128 * 1024;
/** `free` checks the end of an arena when at least 64 KiB are free there. */
const blockBytes = 128 * 1024;
/** Enough that each thread of the pool allocates one. */
const blocks = 16;

/**
 * Undefined where the C library has no `malloc_trim` (musl, macOS), and where native code cannot be loaded. From now on, malloc keeps
 * less freed memory, unless the environment sets its thresholds. Threads of the pool return memory; others that allocate wait while their
 * arena is processed.
 */
export async function loadAllocator(): Promise<Allocator | undefined> {
  try {
    const { default: koffi } = await import("koffi");
    const library = koffi.load(null);
    const trim = promisified(library.func("int malloc_trim(size_t pad)"));
    const allocate = promisified(library.func("void *malloc(size_t size)"));
    const free = library.func("void free(void *block)");
    const mallopt = library.func("int mallopt(int parameter, int value)");
    const isGiven = areThresholdsGiven(process.env);
    const set = (parameter: number, bytes: number) => {
      if (!isGiven) mallopt(parameter, bytes);
    };
    set(mmapThreshold, mappedBytes);
    set(trimThreshold, endBytes);
    return {
      async giveBack() {
        // `malloc_trim` does not touch the ends of the threads' arenas.
        set(trimThreshold, smallestEndBytes);
        const allocated = await Promise.all(Array.from({ length: blocks }, () => allocate(blockBytes)));
        for (const block of allocated) free(block);
        set(trimThreshold, endBytes);
        await trim(0);
      },
    };
  } catch {
    return undefined;
  }
}

/** Whether the environment of the process sets them. */
function areThresholdsGiven(env: NodeJS.ProcessEnv): boolean {
  const { MALLOC_TRIM_THRESHOLD_, MALLOC_MMAP_THRESHOLD_, GLIBC_TUNABLES = "" } = env;
  if (MALLOC_TRIM_THRESHOLD_ !== undefined || MALLOC_MMAP_THRESHOLD_ !== undefined) return true;
  return /glibc\.malloc\.(?:trim|mmap)_threshold/.test(GLIBC_TUNABLES);
}

/** Runs the function on a thread of the pool. */
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
