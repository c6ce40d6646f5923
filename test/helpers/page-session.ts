import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../../src/cli/export/read-page.ts';
import { openJournalOf } from '../../src/cli/session/open-session.ts';
import { renderMarkdown } from '../../src/page/export/markdown.ts';
import { structureOf } from '../../src/page/export/structure.ts';
import type { PageModel } from '../../src/page/model/page-model.ts';
import { renderPage } from '../../src/page/render/page.tsx';
import { type Event, eventBodySchema } from '../../src/pipeline/event.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createEventSentences } from '../../src/words/events/event-sentence.ts';
import { eventSamples } from './event-samples.ts';
import { createTestCli } from './test-cli.ts';

export const pageSession = '260215-101500';

const journal = join(import.meta.dirname, '../fixtures/journals/waves.jsonl');

/** The journal of a demo, and behind it one event of every type. */
export const everyEvent = (): readonly Event[] => {
  const events = readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Event => {
      const { seq, at, ...body } = JSON.parse(line);
      return { ...eventBodySchema().parse(body), seq, at };
    })
    .filter(({ type }) => type !== 'session.stopped');
  const last = events.at(-1);
  const more = Object.values(eventSamples)
    .filter(({ type }) => type !== 'session.created' && type !== 'output.written')
    .map(
      (body, index): Event => ({
        ...body,
        seq: events.length + index + 1,
        at: new Date(Date.parse(last?.at ?? '') + (index + 1) * 1_000).toISOString(),
      }),
    );
  return [...events, ...more];
};

/** The same events with another text in every place where a text may stand. */
export const withTexts = (events: readonly Event[], textOf: (number: number) => string): readonly Event[] => {
  let number = 0;
  const filled = JSON.stringify(structureOf(events)).replace(/"(?:text|file|person|agent)-\d+"(?!:)/g, () => {
    number += 1;
    return JSON.stringify(textOf(number));
  });
  return JSON.parse(filled);
};

/** Writes the events as a session of the workspace. */
export const writeSession = (workspace: string, events: readonly Event[], session = pageSession): void => {
  const paths = sessionPaths(workspace, session);
  mkdirSync(paths.directory, { recursive: true });
  writeFileSync(paths.journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
};

/** Everything that `export` can write of the session in this workspace. */
export const exportsOf = async (
  workspace: string,
  options: { readonly full?: boolean; readonly structure?: boolean } = {},
): Promise<{
  readonly model: PageModel;
  readonly html: string;
  readonly markdown: string;
  readonly json: string;
}> => {
  const cli = createTestCli({ cwd: workspace, env: process.env });
  const model = await readPage(cli, openJournalOf(cli, undefined), {
    full: options.full === true,
    structure: options.structure === true,
    sentence: createEventSentences(),
  });
  return {
    model,
    html: renderPage(model, 'test'),
    markdown: renderMarkdown(model),
    json: JSON.stringify(model),
  };
};
