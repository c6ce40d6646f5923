/** A file below the home directory that an agent needs for its login. */
export interface LoginFile {
  readonly file: string;
  /** The parts that are copied: keys of a JSON object, or tables of TOML. Absent: the whole file. */
  readonly only?: readonly string[];
  /** Where it is on this machine, absolute, if not below the home. */
  readonly from?: string;
}

/**
 * The named parts of a configuration; `null` when it cannot be read. The rest stays outside: servers with their tokens, other projects, hooks. In TOML the lines
 * before the first table count as a part of their own, without those that fill another table.
 */
export const loginPart = ({ file, only }: LoginFile, text: string): string | null => {
  if (only === undefined) return text;
  return file.endsWith('.toml') ? tablesOf(text, only) : keysOf(text, only);
};

const keysOf = (text: string, only: readonly string[]): string | null => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([key]) => only.includes(key))));
  } catch {
    return null;
  }
};

const tablesOf = (text: string, only: readonly string[]): string => {
  let isKept = true;
  let isFirst = true;
  const kept = text.split('\n').filter((line) => {
    const [, table] = /^\s*\[+\s*["']?([\w-]+)/u.exec(line) ?? [];
    if (table !== undefined) {
      isFirst = false;
      isKept = only.includes(table);
    }
    // `mcp_servers.x.env = {…}` and `mcp_servers = {…}` fill a table without a line of its own.
    const [, filled] = /^\s*["']?([\w-]+)["']?\s*(?:\.|=\s*\{)/u.exec(line) ?? [];
    return isKept && !(isFirst && filled !== undefined && !only.includes(filled));
  });
  return kept.join('\n');
};
