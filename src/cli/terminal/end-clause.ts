import { exitClause } from '../../agents/backends/exit-text.ts';

/** The end of a child of Node as a predicate: `exited with code 3`, `was ended by SIGTERM`. */
export const endClause = (code: number | null, signal: NodeJS.Signals | null): string =>
  exitClause(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal });
