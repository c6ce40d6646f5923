/** A commit of this many bytes is left to a person: it stays in the history for good. */
const largest = 100 * 1_048_576;

/** "500 MB, the most in data.bin" of files with their sizes in bytes, when a person should look before they are committed; else `null`. */
export const largeCommit = (files: readonly string[], sizeOf: (file: string) => number): string | null => {
  const sizes = files
    .map((path) => ({ path, size: sizeOf(path) }))
    .sort((one, other) => other.size - one.size);
  const all = sizes.reduce((sum, { size }) => sum + size, 0);
  return all < largest ? null : `${Math.round(all / 1_048_576)} MB, most of it in ${sizes[0]?.path ?? ''}`;
};
