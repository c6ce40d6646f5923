import type { SessionState } from '../../src/pipeline/state.ts';
import { selectFailures } from '../tasks/select-failures.ts';
import type { NowLine } from './now-line.ts';

/** Failures come before waiting: a person who decides about lessons must know them. */
export const failedFirst = (session: SessionState, line: NowLine | null): NowLine | null => {
  const failures = line === null ? null : selectFailures({ session });
  if (line === null || failures === null) return line;
  return {
    tone: 'bad',
    text: `${failures.counts}: ${failures.cause} · ${line.text}`,
    short: `${failures.counts} · ${line.short ?? line.text}`,
  };
};

/** While work continues it comes first, and failures follow. */
export const failedLast = (session: SessionState, line: NowLine | null): NowLine | null => {
  const failures = line === null ? null : selectFailures({ session });
  if (line === null || failures === null) return line;
  return {
    ...line,
    text: `${line.text} · ${failures.counts}: ${failures.cause}`,
    short: `${line.short ?? line.text} · ${failures.counts}`,
  };
};
