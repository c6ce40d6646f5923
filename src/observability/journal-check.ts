import type { Fault } from '../base/fault.ts';
import { fromJson, isRecord } from '../base/json.ts';
import type { Event } from '../pipeline/event.ts';
import { knownTypes } from '../pipeline/evolve.ts';
import { settledSteps } from './settled-steps.ts';

/** Checks a journal's lines cheaply: type, `seq` and `at`. The rest is our own output. */
interface JournalCheck {
  /**
   * The events of a block of whole lines; other lines become problems. `state`: only the events
   * that a fold needs. Steps of work that is settled in the same block are counted and not parsed.
   */
  events(block: Uint8Array, wanted?: Wanted): readonly Event[];
  report(code: string, what: string, hint?: string): void;
  readonly problems: () => readonly Fault[];
}

type Wanted = 'every' | 'state';

/** Creates a check that also verifies that `seq` rises by one, from `after` on if given. */
export const createJournalCheck = (path: string, after: number | null = null): JournalCheck => {
  const found: Fault[] = [];
  let more = 0;
  let last = after;
  const report = (code: string, what: string, hint?: string): void => {
    if (found.length >= mostProblems) more += 1;
    else found.push({ code, what: `the journal ${what}`, where: path, ...(hint ? { hint } : {}) });
  };
  const numbered = (seq: number): boolean => {
    const repeated = last !== null && seq <= last;
    if (repeated) report('journal-repeated', `repeats event ${seq} after ${last}; the later one is ignored`);
    else if (last !== null && seq !== last + 1)
      report('journal-gap', `lacks events ${last + 1} to ${seq - 1}`);
    if (!repeated) last = seq;
    return !repeated;
  };
  const accept = (value: unknown): value is Event => {
    if (isEvent(value)) return numbered(value.seq);
    const type = isRecord(value) ? value['type'] : undefined;
    const seq = isRecord(value) ? value['seq'] : undefined;
    if (typeof type === 'string' && typeof seq === 'number' && Number.isSafeInteger(seq)) {
      if (numbered(seq))
        report(
          'journal-unknown',
          `contains an event of unknown type ${JSON.stringify(type)}`,
          'a newer version may support it',
        );
    } else report('journal-line', `contains a line after event ${last ?? 0} that is not an event`);
    return false;
  };
  return {
    report,
    problems: (): Fault[] =>
      more === 0
        ? found
        : [
            ...found,
            {
              code: 'journal-more',
              what: `the journal has ${more} more such ${more === 1 ? 'problem' : 'problems'}`,
              where: path,
            },
          ],
    events: (block, wanted = 'every') => {
      const lines = linesOf(block);
      const isPast = wanted === 'every' ? null : settledSteps(lines);
      const events: Event[] = [];
      for (const line of lines) {
        const past = isPast?.(line) ?? null;
        if (past !== null) {
          numbered(past);
          continue;
        }
        const value = fromJson(line);
        if (accept(value)) events.push(value);
      }
      return events;
    },
  };
};

const mostProblems = 100;

const isEvent = (value: unknown): value is Event =>
  isRecord(value) &&
  knownTypes.has(value['type']) &&
  Number.isSafeInteger(value['seq']) &&
  isInstant(value['at']);

/** Times of a journal are shown, counted and compared everywhere. */
export const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && Number.isFinite(Date.parse(value));

const linesOf = (block: Uint8Array): readonly string[] => {
  const lines = new TextDecoder().decode(block).split('\n');
  lines.pop();
  return lines;
};

/** The `seq` of a line that is a JSON object and has one; `null` for anything else. */
export const lineNumber = (line: string): number | null => {
  const value = fromJson(line);
  const seq = isRecord(value) ? value['seq'] : undefined;
  return typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : null;
};
