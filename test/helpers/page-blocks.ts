import type { Command } from 'commander';
import { createProgram } from '../../src/cli/create-program.ts';
import { visibleIn } from '../../src/cli/options.ts';
import { topics } from '../../src/cli/report/topics/index.ts';
import type { Section } from '../../src/cli/report/topics/topic.ts';
import { createTestCli } from './test-cli.ts';

/** The generated parts of the pages, made from the code itself: `<!-- NAME -->` … `<!-- /NAME -->`. */
export const pageBlocks = async (): Promise<Readonly<Record<string, string>>> => ({
  commands: await commandTable(),
  ...Object.fromEntries(topics.map(({ name, sections }) => [name, sections().map(markdownOf).join('\n\n')])),
});

/** The names of the blocks in this text, in its order. */
export const blocksIn = (text: string): readonly string[] =>
  [...text.matchAll(/^<!-- ([a-z-]+) -->$/gm)].flatMap(([, name]) => (name === undefined ? [] : [name]));

/** The text with each of its blocks replaced by what the code says now. Throws for a block that nothing makes. */
export const regenerate = async (page: string): Promise<string> => {
  const blocks = await pageBlocks();
  return blocksIn(page).reduce((text, name) => {
    const content = blocks[name];
    const from = text.indexOf(`<!-- ${name} -->`) + `<!-- ${name} -->`.length;
    const to = text.indexOf(`<!-- /${name} -->`);
    if (content === undefined || to < from) throw new Error(`no block <!-- ${name} --> can be made`);
    return `${text.slice(0, from)}\n${content}\n${text.slice(to)}`;
  }, page);
};

const markdownOf = (section: Section): string => {
  switch (section.kind) {
    case 'text':
      return section.text;
    case 'code':
      return `\`\`\`${section.language}\n${section.text}\n\`\`\``;
    case 'list':
      return section.items.map((item) => `- ${item}`).join('\n');
    case 'table':
      return tableOf(section.rows);
  }
};

/** Not padded: a longer cell would change every line of its table. */
const tableOf = (rows: readonly (readonly string[])[]): string => {
  const lines = rows.map((row) => `| ${row.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`);
  return [lines[0], `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...lines.slice(1)].join('\n');
};

const commandTable = async (): Promise<string> => {
  const rows = visibleIn(await createProgram(createTestCli())).map(
    (command) => [usageOf(command), command.summary()] as const,
  );
  return tableOf([['command', 'does'], ...rows]);
};

const usageOf = (command: Command): string => {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`;
    return argument.required ? name : `[${name}]`;
  });
  const subs = visibleIn(command).map((sub) => sub.name());
  return `\`${[command.name(), ...(subs.length > 0 ? [subs.join('|')] : []), ...words].join(' ')}\``;
};
