import type { Command } from 'commander';
import { visibleIn } from '../../src/cli/options.ts';
import { createProgram } from '../../src/cli/program.ts';
import { topics } from '../../src/cli/report/topics/index.ts';
import type { Section } from '../../src/cli/report/topics/topic.ts';
import { createTestCli } from './test-cli.ts';

/** The README's generated parts, made from the code itself: `<!-- NAME -->` … `<!-- /NAME -->`. */
export const readmeBlocks = (): Readonly<Record<string, string>> => ({
  commands: commandTable(),
  ...Object.fromEntries(topics.map(({ name, sections }) => [name, sections().map(markdownOf).join('\n\n')])),
});

/** The text with every block replaced by what the code says now. */
export const regenerate = (readme: string): string => {
  let text = readme;
  for (const [name, content] of Object.entries(readmeBlocks())) {
    const open = `<!-- ${name} -->`;
    const from = text.indexOf(open);
    const to = text.indexOf(`<!-- /${name} -->`);
    if (from < 0 || to < from) throw new Error(`README.md has no block ${open}`);
    text = `${text.slice(0, from + open.length)}\n${content}\n${text.slice(to)}`;
  }
  return text;
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

const commandTable = (): string => {
  const rows = visibleIn(createProgram(createTestCli())).map(
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
