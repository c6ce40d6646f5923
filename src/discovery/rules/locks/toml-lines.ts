/** One `key = value` of a TOML text: its table, its key without quotes, and the rest of the line. */
interface TomlLine {
  readonly table: string;
  readonly key: string;
  readonly value: string;
}

/**
 * The plain `key = value` lines of a TOML text, enough to read the names in a manifest. A value over several lines includes all of them. Evaluates
 * nothing and never fails.
 */
export const tomlLines = (text: string): readonly TomlLine[] => {
  const found: { table: string; key: string; value: string }[] = [];
  let table = '';
  let open = 0;
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^\s*#.*$/, '').trimEnd();
    const last = found.at(-1);
    if (open > 0 && last) {
      last.value += `\n${line}`;
      open += depthOf(line);
      continue;
    }
    const header = /^\s*\[{1,2}([^\]]+)\]{1,2}\s*(?:#.*)?$/.exec(line);
    if (header) table = (header[1] ?? '').trim().replaceAll(/["'\s]/g, '');
    const [, key, value] = /^\s*([\w.-]+|"[^"]+"|'[^']+')\s*=\s*(.*)$/.exec(line) ?? [];
    if (header || key === undefined || value === undefined) continue;
    found.push({ table, key: key.replaceAll(/["']/g, ''), value });
    open = depthOf(value);
  }
  return found;
};

/** Counts brackets that a line opens and does not close, except those inside strings. */
const depthOf = (line: string): number => {
  const plain = line.replace(/"[^"]*"|'[^']*'/g, '').replace(/#.*$/, '');
  return (plain.match(/[[{]/g)?.length ?? 0) - (plain.match(/[\]}]/g)?.length ?? 0);
};
