import { formatTable } from './table.ts';
import type { Section, Topic } from './topics/topic.ts';

/** A topic for the terminal: paragraphs wrapped at 100 columns, tables as columns. Backticks stay: they mark what to type. */
export const formatTopic = ({ sections }: Topic): string => sections().map(formatSection).join('\n\n');

/** The list of topics at the end of `ralph-tui help`. */
export const formatTopics = (topics: readonly Topic[]): string =>
  ['Topics:', formatTable(topics.map(({ name, summary }) => [`  help ${name}`, summary]))].join('\n');

const formatSection = (section: Section): string => {
  switch (section.kind) {
    case 'text':
      return wrapWords(section.text, '', '');
    case 'code':
      return section.text.replaceAll(/^/gm, '    ');
    case 'list':
      return section.items.map((item) => wrapWords(item, '- ', '  ')).join('\n');
    case 'table':
      return formatTable(section.rows);
  }
};

const columns = 100;

const wrapWords = (text: string, first: string, rest: string): string => {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = rest;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join('\n');
};
