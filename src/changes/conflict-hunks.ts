/** One place that both sides of a merge changed. */
export interface ConflictHunk {
  readonly path: string;
  /** The line in the file with markers, from 1. */
  readonly line: number;
  /** The lines of each side. */
  readonly session: readonly string[];
  readonly task: readonly string[];
}

/** Lines of one side, letters of a line, and places that are kept: enough to recognise a conflict. An editor shows all. */
const most = { lines: 6, letters: 200, hunks: 6 } as const;

/** The conflicting places of a file that git merged, by its markers: the session's side comes first. */
export const conflictHunks = (path: string, text: string): readonly ConflictHunk[] => {
  const hunks: ConflictHunk[] = [];
  let open: { line: number; session: string[]; task: string[] } | null = null;
  let side: 'session' | 'base' | 'task' = 'session';
  const lines = text.split('\n');
  for (let at = 0; at < lines.length && hunks.length < most.hunks; at += 1) {
    const line = (lines[at] ?? '').replace(/\r$/, '');
    if (/^<{7}(?: |$)/.test(line)) {
      open = { line: at + 1, session: [], task: [] };
      side = 'session';
    } else if (open === null) continue;
    else if (/^\|{7}(?: |$)/.test(line)) side = 'base';
    else if (line === '=======') side = 'task';
    else if (/^>{7}(?: |$)/.test(line)) {
      hunks.push({ path, line: open.line, session: shown(open.session), task: shown(open.task) });
      open = null;
    } else if (side !== 'base') open[side].push(line);
  }
  return hunks;
};

const shown = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, most.lines).map((line) => line.slice(0, most.letters)),
  ...(lines.length > most.lines ? [`… ${lines.length - most.lines} more`] : []),
];

/** Of the places of several files, as many as are kept. */
export const firstHunks = (hunks: readonly ConflictHunk[]): readonly ConflictHunk[] =>
  hunks.slice(0, most.hunks);
