import type { Command } from 'commander';
import { type Cli, type Subcommand, usage } from '../../cli.ts';
import { positiveNumber } from '../../options.ts';

interface ExportOptions {
  readonly html?: string;
  readonly markdown?: string;
  readonly json?: boolean;
  readonly svg?: string;
  readonly at?: string;
  readonly cast?: string;
  readonly from?: string;
  readonly to?: string;
  readonly speed: number;
  readonly size: string;
  readonly light?: boolean;
  readonly full?: boolean;
  readonly structure?: boolean;
}

/** `ralph-tui export [SESSION]`: writes what happened in a session as a page, a summary or data, without its secrets. */
export const exportSession: Subcommand = (program, cli) => {
  describeExport(program).action(
    cli.does(async (id: string | undefined, options: ExportOptions) => {
      const { html, markdown, svg, cast, json } = options;
      if (json !== true && [html, markdown, svg, cast].every((file) => file === undefined))
        throw usage(
          'no output was chosen',
          'add --html FILE, --markdown FILE, --svg FILE, --cast FILE or --json',
        );
      const { openJournalOf } = await import('../../session/open-session.ts');
      const { checkTarget, writeExport } = await import('../../export/write-export.ts');
      const session = openJournalOf(cli, id);
      for (const file of [html, markdown, svg, cast]) if (file !== undefined) checkTarget(cli, session, file);
      if (html !== undefined || markdown !== undefined || json === true) {
        const { readPage } = await import('../../export/read-page.ts');
        const { createEventSentences } = await import('../../../words/events/event-sentence.ts');
        const model = await readPage(cli, session, {
          full: options.full === true,
          structure: options.structure === true,
          sentence: createEventSentences(),
        });
        tellRemoved(cli, model.removed);
        if (html !== undefined) writeExport(cli, session, html, await renderHtml(model));
        if (markdown !== undefined) writeExport(cli, session, markdown, await renderSummary(model));
        if (json === true) cli.printJson(model);
      }
      if (svg !== undefined || cast !== undefined) {
        const { drawCast, drawPicture, openRecording } = await import('../../export/write-recording.ts');
        const recording = openRecording(cli, session, {
          size: options.size,
          light: options.light === true,
          structure: options.structure === true,
        });
        tellRemoved(cli, recording.removed);
        if (svg !== undefined) writeExport(cli, session, svg, await drawPicture(recording, options.at));
        if (cast !== undefined) writeExport(cli, session, cast, await drawCast(recording, options));
      }
      return 0;
    }),
  );
};

const describeExport = (program: Command): Command =>
  program
    .command('export')
    .argument('[session]', 'which session: an id, the beginning of one, or `latest` (default: the newest)')
    .option('--html <file>', 'one self-contained page')
    .option('--markdown <file>', 'a summary for a pull request')
    .option('--json', 'the data of the page as JSON')
    .option('--svg <file>', 'a picture of the screen')
    .option('--at <time>', 'the moment: 90s (from the start), 14:05:09 or ISO 8601 (default: the end)')
    .option('--cast <file>', 'a recording of the screen (asciicast)')
    .option('--from <time>', 'where the recording begins')
    .option('--to <time>', 'where it ends')
    .option('--speed <n>', 'playback speed, as a multiple', positiveNumber, 1)
    .option('--size <size>', 'columns and rows of pictures and recordings', '120x36')
    .option('--light', 'use the light theme')
    .option('--full', 'include the output of every attempt, and complete lists')
    .option('--structure', 'leave out all text from the session, for bug reports');

type Model = Parameters<typeof import('../../../page/render/page.tsx').renderPage>[0];

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
