import { memoise } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import { list } from '../../src/base/sentence.ts';
import { markdownLines } from '../../src/words/markdown-lines.ts';
import type { UiState, ViewState } from '../view.ts';

/** A lesson in words: what it is called, and what it says. */
interface LessonWords {
  /** The kind of document; '' for a file outside the known folders. */
  readonly category: string;
  readonly title: string;
  /** The headings of its parts, or its first sentence; '' until the file is read. */
  readonly says: string;
}

/** The words of a staged file, whose text may not be read yet. */
export const lessonWords = ({ ui }: Pick<ViewState, 'ui'>, file: string): LessonWords => {
  const [, category, name] = /^([^/]+)\/(.+)\.md$/.exec(safe(file)) ?? [];
  if (category === undefined || name === undefined) return { category: '', title: safe(file), says: '' };
  const words = name.replaceAll('-', ' ');
  const read = readLessons(ui.previews).get(file);
  return {
    category,
    title: read?.title || words.charAt(0).toUpperCase() + words.slice(1),
    says: read?.says ?? '',
  };
};

/**
 * The titles of staged files for a list. All of them may end in the goal of the session, as in "Commands that work: Ship the service": that end says
 * nothing beside the others, and is left out.
 */
export const listedTitles = (view: Pick<ViewState, 'ui'>, files: readonly string[]): readonly string[] => {
  const titles = files.map((file) => lessonWords(view, file).title);
  const [first = ''] = titles;
  const end = first.slice(first.indexOf(': '));
  const isShared = titles.length > 1 && first.includes(': ') && titles.every((title) => title.endsWith(end));
  return isShared ? titles.map((title) => title.slice(0, -end.length)) : titles;
};

/** A file without its front matter, which is for programs. */
export const lessonBody = (text: string): string =>
  text.replace(/^---\n[\s\S]*?\n---\n+/, '').replaceAll('\t', '  ');

const readLessons = memoise(
  (previews: UiState['previews']): ReadonlyMap<string, Pick<LessonWords, 'title' | 'says'>> =>
    new Map(
      Object.entries(previews).flatMap(([file, text]) =>
        text === null ? [] : [[file, wordsOf(text)] as const],
      ),
    ),
);

const wordsOf = (text: string): Pick<LessonWords, 'title' | 'says'> => {
  const lines = markdownLines(lessonBody(text));
  const first = lines[0]?.kind === 'sub' ? lines[0].text : '';
  const rest = first === '' ? lines : lines.slice(1);
  const parts = rest.filter(({ kind }) => kind === 'sub').map(({ text: heading }) => heading);
  const sentence =
    rest.find(({ kind, text: words }) => kind !== 'sub' && words.trim() !== '')?.text.trim() ?? '';
  return {
    title: first,
    says: parts.length > 1 ? list(parts, 2) : [...parts, sentence].filter((part) => part !== '').join(': '),
  };
};
