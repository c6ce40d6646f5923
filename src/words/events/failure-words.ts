import { safe } from '../../base/safe.ts';
import type { FailureCause } from '../../pipeline/events/failure-cause.ts';
import { reasonWords } from '../reason-words.ts';
import { exitWords } from '../work-words.ts';

/** A failure in three forms: `long` is its whole reason, `brief` leaves out the command, which the panes beside it show, `short` only has the exit. */
export interface FailureWords {
  readonly long: string;
  readonly brief: string;
  readonly short: string;
}

/** "review: `npm test` exited 1 after 2 s: 3 failed", "review: exit 1: 3 failed", "review: exit 1". */
export const failureWords = (reason: string | null, cause: FailureCause | null): FailureWords => {
  const long = reasonWords(reason ?? '');
  const command = cause?.command;
  if (command === undefined) return { long, brief: long, short: long };
  const lead = cause === null ? '' : leads[cause.who];
  const exit = exitWords(command.exit);
  const said = saidWords(command.said);
  const brief = said.isWhole
    ? `${lead}${said.text}`
    : `${lead}${exit}${said.text === '' ? '' : `: ${said.text}`}`;
  return { long, brief, short: said.isWhole || !/^\d+$/.test(command.exit) ? brief : `${lead}${exit}` };
};

const leads: Readonly<Record<FailureCause['who'], string>> = {
  work: '',
  verify: 'verify: ',
  review: 'review: ',
  merge: 'after the merge: ',
  limit: '',
  crash: '',
  person: '',
  definition: '',
};

/** The cause in a clause: what the command said, else the command and its exit, else the reason. A reviewer's full stop is left out. */
export const failureClause = (reason: string | null, cause: FailureCause | null): string => {
  const command = cause?.command;
  if (command === undefined)
    return withoutStop(
      reasonWords(cause?.who === 'review' ? (reason ?? '').replace(/^review: /, '') : (reason ?? '')),
    );
  const said = withoutStop(saidWords(command.said).text);
  return said === '' ? `${safe(command.text)} ${exitWords(command.exit)}` : said;
};

const withoutStop = (text: string): string => text.replace(/(?<!\.)\.$/, '');

/** What the command printed. A shell's own error says all there is: its name and line, and the exit, are left out. */
const saidWords = (said: string): { readonly text: string; readonly isWhole: boolean } => {
  const text = reasonWords(said);
  const error = text.replace(shellPrefix, '');
  return { text: error, isWhole: error !== text };
};

/** `/bin/sh: 1: `, `bash: line 3: `. */
const shellPrefix = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh: (?:line )?\d+: /;
