import type { Command } from 'commander';
import { type Cli, type Subcommand, usage } from '../../cli.ts';

interface ExportOptions {
  readonly html?: string;
  readonly markdown?: string;
  readonly json?: boolean;
  readonly full?: boolean;
  readonly structure?: boolean;
}

/** `ralph-tui export [SESSION]`: writes what happened in a session as a page, a summary or data, without its secrets. */
export const exportSession: Subcommand = (program, cli) => {
  describeExport(program).action(
    cli.does(async (id: string | undefined, options: ExportOptions) => {
      if (options.html === undefined && options.markdown === undefined && options.json !== true)
        throw usage('nothing says what to write', 'add --html FILE, --markdown FILE or --json');
      const { openJournalOf } = await import('../../session/open-session.ts');
      const { readPage } = await import('../../export/read-page.ts');
      const { formatEvent } = await import('../../lines/plain-log.ts');
      const { checkTarget, writeExport } = await import('../../export/write-export.ts');
      const session = openJournalOf(cli, id);
      const wanted = filesOf(options);
      for (const { file } of wanted) checkTarget(cli, session, file);
      const model = await readPage(cli, session, {
        full: options.full === true,
        structure: options.structure === true,
        sentence: formatEvent,
      });
      tellRemoved(cli, model.removed);
      for (const { file, render } of wanted) writeExport(cli, session, file, await render(model));
      if (options.json === true) cli.printJson(model);
      return 0;
    }),
  );
};

const describeExport = (program: Command): Command =>
  program
    .command('export')
    .summary('write a session as a page, a summary or data, without its secrets')
    .argument('[session]', 'which session: an id, the beginning of one, or `latest`; without it the newest')
    .option('--html <file>', 'one page that needs nothing else')
    .option('--markdown <file>', 'a summary for a pull request')
    .option('--json', 'the model of the page as JSON')
    .option('--full', 'with the output of every attempt, and long lists whole')
    .option('--structure', 'no text of the session at all: for bug reports');

const filesOf = (options: ExportOptions): readonly FileWanted[] => [
  ...(options.html === undefined ? [] : [{ file: options.html, render: renderHtml }]),
  ...(options.markdown === undefined ? [] : [{ file: options.markdown, render: renderSummary }]),
];

type Model = Parameters<typeof import('../../../page/render/page.tsx').renderPage>[0];

interface FileWanted {
  readonly file: string;
  readonly render: (model: Model) => Promise<string>;
}

const renderHtml = async (model: Model): Promise<string> => {
  const { renderPage } = await import('../../../page/render/page.tsx');
  const { version } = await import('../../version.ts');
  return renderPage(model, version);
};

const renderSummary = async (model: Model): Promise<string> => {
  const { renderMarkdown } = await import('../../../page/export/markdown.ts');
  return renderMarkdown(model);
};

/** Comes before anything is written, so that a person can still think about it. */
const tellRemoved = (cli: Cli, removed: Model['removed']): void => {
  cli.note(removed.length === 0 ? 'No secrets found.' : 'Removed:');
  for (const { kind, count } of removed) cli.note(`  ${String(count).padStart(4)}  ${kind}`);
};
