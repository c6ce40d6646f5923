import { formatFrontMatter, parseFrontMatter } from '../../tasks/front-matter.ts';

interface IdeaParts {
  readonly title: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly author: string;
  readonly idea: readonly string[];
  readonly why: readonly string[];
  readonly shape: readonly string[];
  readonly open: readonly string[];
  readonly related: readonly string[];
}

/** An idea as a document. Sections without content say so. */
export const ideaText = ({ title, date, author, idea, why, shape, open, related }: IdeaParts): string =>
  formatFrontMatter(
    { date, status: 'draft', type: 'idea', author, tags: [], github_issue: null },
    [
      `# ${title}`,
      section('The Idea', [title, ...idea]),
      section('Why This Matters', why),
      section('Rough Shape', shape),
      section(
        'Open Questions',
        open.map((each) => `- ${each}`),
        '\n',
      ),
      section(
        'Related',
        related.map((each) => `- ${each}`),
        '\n',
      ),
    ].join('\n\n'),
  ).concat('\n');

const section = (heading: string, lines: readonly string[], between = '\n\n'): string =>
  `## ${heading}\n\n${lines.length === 0 ? 'Nothing yet.' : lines.join(between)}`;

/** What an idea, or any other Markdown text, says. */
interface ReadIdea {
  readonly title: string;
  /** The first words below the title. */
  readonly summary: string;
  /** The text of a section by its heading; '' without it. */
  readonly section: (heading: string) => string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads an idea file leniently; `problems` say what of its front matter cannot be read. */
export const readIdea = (text: string, file: string) => {
  const { value, problems } = parseFrontMatter(text, file);
  const sections = sectionsOf(value.body);
  const first = value.body.split('\n').find((line) => line.trim() !== '') ?? '';
  const title = /^#\s+(.+)$/m.exec(value.body)?.[1]?.trim() ?? first.trim();
  const summary = (sections.get('The Idea') ?? value.body.replace(/^#.*$/gm, '')).trim().split(/\n\s*\n/);
  const idea: ReadIdea = {
    title: title.slice(0, 200),
    summary: (summary.find((each) => each.trim() !== title) ?? summary[0] ?? '').trim(),
    section: (heading) => withoutFiller(sections.get(heading) ?? ''),
    data: value.data,
  };
  return { idea, problems };
};

const withoutFiller = (text: string): string => (text === 'Nothing yet.' ? '' : text);

/** The sections of the second level, by heading. */
export const sectionsOf = (body: string): ReadonlyMap<string, string> => {
  const parts = body.split(/^##[ \t]+/m).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      const heading = (end < 0 ? part : part.slice(0, end)).replace(/[ \t]+#*[ \t]*$/, '');
      return [heading.trim(), end < 0 ? '' : part.slice(end + 1).trim()] as const;
    }),
  );
};
