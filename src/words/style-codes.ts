/**
 * The SGR parameters in force after these: what a later one replaces or takes back is left out. A program that sets colour after colour without a
 * reset would else have a list that grows with every word, and that is written with every cell.
 */
export const inForce = (codes: string): string => {
  const parts = codes.split(';');
  const held = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 1) {
    const code = Number(parts[at]) || 0;
    const length = code === 38 || code === 48 ? (lengths[parts[at + 1] ?? ''] ?? 1) : 1;
    const ended = ends.get(code);
    if (code === 0) held.clear();
    else if (ended !== undefined) for (const attribute of ended) held.delete(attribute);
    else {
      // The later one comes last: a colour behind faint text counts.
      const attribute = attributeOf(code);
      held.delete(attribute);
      held.set(attribute, parts.slice(at, at + length).join(';'));
    }
    at += length - 1;
  }
  return [...held.values()].join(';');
};

/** Parameters of a colour by its kind: `38;5;N` and `38;2;R;G;B`. */
const lengths: Readonly<Record<string, number>> = { '5': 3, '2': 5 };

const attributeOf = (code: number): string => {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 'colour';
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 'ground';
  return String(code);
};

/** The parameters that take others back. */
const ends: ReadonlyMap<number, readonly string[]> = new Map([
  [22, ['1', '2']],
  [23, ['3']],
  [24, ['4', '21']],
  [25, ['5', '6']],
  [27, ['7']],
  [28, ['8']],
  [29, ['9']],
  [39, ['colour']],
  [49, ['ground']],
]);
