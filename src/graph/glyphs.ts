/** The four arms of a line in a cell, 0 none, 1 light, 2 heavy: up, right, down, left. */
export type Arms = readonly [number, number, number, number];

/** Box-drawing characters in the order of Unicode, by their arms. U+2500 to U+254B without the dashed ones, then the half lines. */
const written: readonly (readonly [arms: string, first: number])[] = [
  ['0101 0202 1010 2020', 0x2500],
  ['0110 0210 0120 0220 0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002', 0x250c],
  ['1110 1210 2110 1120 2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022', 0x251c],
  ['0111 0112 0211 0212 0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202', 0x252c],
  ['1111 1112 1211 1212 2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222', 0x253c],
  ['0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010', 0x2574],
];

const light = new Map(
  written.flatMap(([arms, first]) =>
    arms.split(' ').map((key, index) => [key, String.fromCharCode(first + index)] as const),
  ),
);

/** Corners of a light line are round: calmer, and never taken for a joint. */
const round = new Map([
  ['0110', '╭'],
  ['0011', '╮'],
  ['1100', '╰'],
  ['1001', '╯'],
]);

/** Straight pieces of a dashed line, in Unicode and in ASCII. */
const dashed = new Map([
  ['0101', ['╌', '~']],
  ['0202', ['╍', '~']],
  ['1010', ['╎', ':']],
  ['2020', ['╏', ':']],
]);

/** The character of a cell. In ASCII heavy lines are `=` and `#`. A dashed line has its corners and joints as any other. */
export const glyphOf = (arms: Arms, ascii: boolean, isDashed = false): string => {
  const [up, right, down, left] = arms;
  const key = `${up}${right}${down}${left}`;
  if (key === '0000') return ' ';
  const dash = isDashed ? dashed.get(key)?.[ascii ? 1 : 0] : undefined;
  if (dash !== undefined) return dash;
  if (!ascii) return round.get(key) ?? light.get(key) ?? '?';
  const heavy = arms.includes(2);
  if (up === 0 && down === 0) return heavy ? '=' : '-';
  if (left === 0 && right === 0) return heavy ? '#' : '|';
  return heavy ? '#' : '+';
};
