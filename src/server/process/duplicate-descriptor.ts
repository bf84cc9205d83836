/**
 * Duplicates a descriptor for another thread of this process: each closes its own. Rejects when native code cannot be loaded, and on
 * Windows.
 */
export async function loadDuplicate(): Promise<(descriptor: number) => number> {
  if (process.platform === "win32") throw new Error("threads cannot share connections on Windows");
  const { default: koffi } = await import("koffi");
  const dup = koffi.load(null).func("int dup(int descriptor)");
  return (descriptor) => {
    const duplicate: unknown = dup(descriptor);
    if (typeof duplicate !== "number" || duplicate < 0) throw new Error("out of file descriptors");
    return duplicate;
  };
}
