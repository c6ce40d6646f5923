import type { Fault } from '../base/fault.ts';
import { type Event, eventBodySchema } from '../pipeline/event.ts';

/** Believes of a journal's lines what can be checked cheaply: type, `seq` and `at`; the rest is our own writing. */
export interface JournalCheck {
  /** The events of a block of whole lines; the others become problems. */
  events(block: Uint8Array): readonly Event[];
  report(code: string, what: string, mend?: string): void;
  readonly problems: () => readonly Fault[];
}

/** A check that also watches that the numbers count up by one. */
export const createJournalCheck = (path: string): JournalCheck => {
  const found: Fault[] = [];
  let more = 0;
  let last: number | null = null;
  const report = (code: string, what: string, mend?: string): void => {
    if (found.length >= mostProblems) more += 1;
    else found.push({ code, what: `the journal ${what}`, where: path, ...(mend ? { mend } : {}) });
  };
  const numbered = (seq: number): boolean => {
    const repeated = last !== null && seq <= last;
    if (repeated)
      report('journal-repeated', `holds event ${seq} again after ${last}; the later one is left out`);
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
          `holds an event of the unknown type ${JSON.stringify(type)}`,
          'a newer version may know it',
        );
    } else report('journal-line', `holds a line after event ${last ?? 0} that is no event`);
    return false;
  };
  return {
    report,
    problems: (): Fault[] =>
      more === 0
        ? found
        : [
            ...found,
            { code: 'journal-more', what: `the journal has ${more} more such problems`, where: path },
          ],
    events: (block: Uint8Array): readonly Event[] => parseLines(block).filter(accept),
  };
};

const knownTypes: ReadonlySet<unknown> = new Set(
  eventBodySchema.options.map((option) => option.shape.type.value),
);
const mostProblems = 100;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEvent = (value: unknown): value is Event =>
  isRecord(value) &&
  knownTypes.has(value['type']) &&
  Number.isSafeInteger(value['seq']) &&
  typeof value['at'] === 'string';

const parseLines = (block: Uint8Array): readonly unknown[] => {
  const lines = new TextDecoder().decode(block).split('\n');
  lines.pop();
  return lines.map(parsed);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The `seq` of a line that is a JSON object with one; `null` for anything else. */
export const lineNumber = (line: string): number | null => {
  const value = parsed(line);
  const seq = isRecord(value) ? value['seq'] : undefined;
  return typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : null;
};
