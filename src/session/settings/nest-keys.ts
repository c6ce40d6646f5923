/**
 * Builds a tree from dotted keys: `a.b` and `a.c` become one group `a`, which `group` converts to a value. Beside a key `a` that has a value of its own,
 * `a.b` stays a key as it is.
 */
export const nestKeys = <T>(
  entries: readonly (readonly [key: string, value: T])[],
  group: (inner: Readonly<Record<string, T>>) => T,
): Readonly<Record<string, T>> => {
  const heads = [...new Set(entries.map(([key]) => key.split('.', 1)[0] ?? key))];
  return Object.fromEntries(
    heads.flatMap((head) => {
      const whole = entries.find(([key]) => key === head);
      if (whole) return entries.filter(([key]) => key === head || key.startsWith(`${head}.`));
      const inner = entries.flatMap(([key, value]) =>
        key.startsWith(`${head}.`) ? [[key.slice(head.length + 1), value] as const] : [],
      );
      return [[head, group(nestKeys(inner, group))] as const];
    }),
  );
};
