/** A day as words name it. `null` where they name none. */
export type NamedDay =
  | { readonly kind: 'date'; readonly year: number | null; readonly month: number; readonly day: number }
  /** 0 is Sunday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'tomorrow' };

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const weekdays = 'sun|mon|tue|wed|thu|fri|sat';
const month = `(${months})[a-z]*\\.?`;
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const year = '(?:,?\\s+(\\d{4})\\b)?';

const monthFirst = new RegExp(`\\b${month}\\s+${day}(?![\\d:])${year}`, 'i');
const dayFirst = new RegExp(`\\b${day}\\s+(?:of\\s+)?${month}${year}`, 'i');
const numeric = /\b(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const weekday = new RegExp(`\\b(${weekdays})(?:day|s|sday|nesday|rs|rsday|urday)?\\b`, 'i');

/** The day in words such as "Jul 23rd, 2026", "3 October", "2026-07-23", "Monday", "tomorrow", and the words without it. */
export const namedDay = (words: string): { readonly named: NamedDay; readonly rest: string } | null => {
  const found = dateIn(words);
  if (found !== null) {
    const { text, ...date } = found;
    const isReal = date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31;
    return isReal ? { named: { kind: 'date', ...date }, rest: words.replace(text, ' ') } : null;
  }
  const [text, name = ''] = weekday.exec(words) ?? [];
  if (text !== undefined)
    return { named: { kind: 'weekday', weekday: indexOf(weekdays, name) }, rest: words.replace(text, ' ') };
  return /\btomorrow\b/i.test(words)
    ? { named: { kind: 'tomorrow' }, rest: words.replace(/\btomorrow\b/i, ' ') }
    : null;
};

interface FoundDate {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
  readonly text: string;
}

const dateIn = (words: string): FoundDate | null => {
  const [iso, isoYear, isoMonth, isoDay] = numeric.exec(words) ?? [];
  if (iso !== undefined)
    return { year: Number(isoYear), month: Number(isoMonth), day: Number(isoDay), text: iso };
  const [first, monthName = '', dayNumber, ofYear] = monthFirst.exec(words) ?? [];
  if (first !== undefined) return dated(first, monthName, dayNumber, ofYear);
  const [second, number, name = '', inYear] = dayFirst.exec(words) ?? [];
  return second === undefined ? null : dated(second, name, number, inYear);
};

const dated = (
  text: string,
  name: string,
  number: string | undefined,
  inYear: string | undefined,
): FoundDate => ({
  year: inYear === undefined ? null : Number(inYear),
  month: indexOf(months, name) + 1,
  day: Number(number),
  text,
});

const indexOf = (names: string, name: string): number =>
  names.split('|').indexOf(name.slice(0, 3).toLowerCase());
