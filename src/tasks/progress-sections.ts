import { bare, splitLines } from './sections.ts';

/** One line of the file with its section. */
export interface ProgressTextLine {
  /** Without its line break and, in the first line, without a byte order mark. */
  readonly line: string;
  /** From 0. */
  readonly index: number;
  readonly section: ProgressSection;
  readonly number: number | null;
}

export const walkProgress = (text: string): readonly ProgressTextLine[] => {
  let section: ProgressSection = 'other';
  let number: number | null = null;
  return splitLines(text).map((written, index) => {
    const line = bare(index === 0 ? written.replace(/^\uFEFF/, '') : written);
    const heading = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
    if (heading && (heading[1]?.length ?? 6) <= 2) {
      section = sectionOfHeading(heading[2] ?? '');
      const named = /\biteration\s*[:#]?\s*(\d{1,6})\b/i.exec(heading[2] ?? '');
      number = named ? Number(named[1]) : null;
    }
    return { line, index, section, number };
  });
};

const sectionOfHeading = (title: string): ProgressSection => {
  if (/legend|marker/i.test(title)) return 'legend';
  if (/^iterations\b/i.test(title)) return 'iterations';
  if (/planning/i.test(title)) return 'planning';
  if (/knowledge/i.test(title)) return 'knowledge';
  return /implementation|tasks|wave/i.test(title) ? 'implementation' : 'other';
};

export type ProgressSection = 'planning' | 'implementation' | 'knowledge' | 'legend' | 'iterations' | 'other';
