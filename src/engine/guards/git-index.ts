/**
 * The paths that a git index names, relative to the repository, `most` of them at most (git's `index-format`, versions 2 to 4). Names of directories in
 * a sparse index are left out. Empty where the bytes are no index. `hashBytes`: 20, or 32 in a repository of SHA-256.
 */
export const trackedPaths = (bytes: Uint8Array, hashBytes: 20 | 32, most: number): readonly string[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerBytes || view.getUint32(0) !== signature) return [];
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return [];
  const count = Math.min(view.getUint32(8), most);
  const paths: string[] = [];
  let name: Uint8Array = new Uint8Array();
  let at = headerBytes;
  for (let entry = 0; entry < count; entry += 1) {
    const flags = at + statBytes + hashBytes;
    if (flags + 2 > bytes.length) break;
    const isExtended = version > 2 && (view.getUint16(flags) & extended) !== 0;
    const start = flags + (isExtended ? 4 : 2);
    const prefix = version === 4 ? prefixAt(bytes, start) : { dropped: name.length, next: start };
    const end = bytes.indexOf(0, prefix.next);
    if (end < 0) break;
    const rest = bytes.subarray(prefix.next, end);
    name = joined(name.subarray(0, Math.max(0, name.length - prefix.dropped)), rest);
    const path = decoder.decode(name);
    if (path !== '' && !path.endsWith('/')) paths.push(path);
    // Before version 4 one to eight zeros fill an entry up to a multiple of eight bytes.
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8;
  }
  return paths;
};

const decoder = new TextDecoder();

/** `DIRC`. */
const signature = 0x44495243;
const headerBytes = 12;
/** Times, device, inode, mode, owner and size. */
const statBytes = 40;
const extended = 0x4000;

/** How much of the name before is dropped in version 4: a number of seven bits a byte, each continuation adds one. */
const prefixAt = (bytes: Uint8Array, from: number): { readonly dropped: number; readonly next: number } => {
  let at = from;
  let byte = bytes[at] ?? 0;
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    at += 1;
    byte = bytes[at] ?? 0;
    dropped = (dropped + 1) * 128 + (byte & 0x7f);
  }
  return { dropped, next: at + 1 };
};

const joined = (head: Uint8Array, rest: Uint8Array): Uint8Array => {
  const both = new Uint8Array(head.length + rest.length);
  both.set(head);
  both.set(rest, head.length);
  return both;
};
