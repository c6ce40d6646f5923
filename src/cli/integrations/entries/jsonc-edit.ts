import type { JsoncArray, JsoncItem, JsoncNode, JsoncObject } from './jsonc.ts';

export const memberOf = (node: JsoncNode, key: string): JsoncNode | undefined =>
  node.kind === 'object' ? node.entries.findLast((entry) => entry.key === key)?.value : undefined;

/** Brackets with nothing but a line break between them. */
export const isBare = (
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean => /^[[{]\s*\n\s*[\]}]$/.test(text.slice(start, end));

/** Puts a member first: everything after it stays as it is. */
export const insertFirst = (text: string, container: JsoncObject | JsoncArray, member: string): string => {
  const at = container.start + 1;
  const isEmpty = (container.kind === 'object' ? container.entries : container.items).length === 0;
  return `${text.slice(0, at)}${member}${isEmpty ? '' : ','}${text.slice(at)}`;
};

/** Takes a member out with the blanks before it and one comma: the one after it, else the one before. */
export const removeMember = (text: string, members: readonly JsoncItem[], member: JsoncItem): string => {
  const comma = member.comma ?? members[members.indexOf(member) - 1]?.comma ?? null;
  const { length } = text.slice(0, member.start).trimEnd();
  const cuts = [
    [length, member.value.end],
    ...(comma === null ? [] : [[comma, comma + 1] as const]),
  ].toSorted(([a = 0], [b = 0]) => b - a);
  return cuts.reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
};

export interface Style {
  readonly unit: string;
  readonly eol: string;
}

/** The file's own indent and line end. */
export const styleOf = (text: string): Style => ({
  unit: /\{[ \t]*\r?\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
});
