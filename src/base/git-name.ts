/** A file name as it is in the head of a diff: in git's quotes (`"a\tb"`, `"\303\274"`) when it holds odd characters. */
export const plainName = (written: string): string =>
  // Git ends a name that holds a blank with a tab.
  unquoted(written.replace(/\t$/, ''));

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const unquoted = (name: string): string =>
  name.startsWith('"')
    ? name
        .replace(/^"|"$/g, '')
        .replace(/((?:\\[0-3][0-7]{2})+)|\\(.)/g, (_, bytes: string | undefined, sign: string) =>
          bytes === undefined ? (escapes[sign] ?? sign) : fromOctal(bytes),
        )
    : name;

const fromOctal = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes.slice(1).split('\\'), (byte) => Number.parseInt(byte, 8)));
