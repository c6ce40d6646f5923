/** Builds a tree from dotted keys: `a.b` and `a.c` become one group `a`, which `group` converts to a value. */
export const nestKeys = <T>(
  entries: readonly (readonly [key: string, value: T])[],
  group: (inner: Readonly<Record<string, T>>) => T,
): Readonly<Record<string, T>> => {
  const heads = [...new Set(entries.map(([key]) => key.split('.', 1)[0] ?? key))];
  return Object.fromEntries(
    heads.map((head) => {
      const whole = entries.find(([key]) => key === head);
      if (whole) return [head, whole[1]];
      const inner = entries.flatMap(([key, value]) =>
        key.startsWith(`${head}.`) ? [[key.slice(head.length + 1), value] as const] : [],
      );
      return [head, group(nestKeys(inner, group))];
    }),
  );
};
