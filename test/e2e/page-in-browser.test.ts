import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/pipeline/event.ts';
import { listenTo, openBrowser, withoutBrowser } from '../helpers/browser.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { everyEvent, exportsOf, writeSession } from '../helpers/page-session.ts';
import { defineTask } from '../helpers/pipeline-run.ts';
import { loopRun, loopStory } from '../helpers/scenes/looping.ts';
import { createStory } from '../helpers/story.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';

const tasks = [
  defineTask('schema', { title: 'Generate the schema', criteria: ['it validates'] }),
  defineTask('catalogue', { title: 'Build the catalogue', blockedBy: ['schema'] }),
  defineTask('pages', { title: 'Render the pages', blockedBy: ['catalogue'] }),
];
const begun = () =>
  createStory().begin('Ship the greeting service').tasks(tasks).wave(1, ['schema']).starts('schema');
const stopped = (status: 'awaiting_feedback' | 'aborted', reason: string, exit_code: number) =>
  ({ type: 'session.stopped', session_id: '260215-101500', status, reason, exit_code }) as const;

/** An issue that one agent takes to a pull request. */
const heroEvents = async (): Promise<readonly Event[]> => {
  const session = createFlowSession({ issues: { 1: 'state: research-needed' } });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  return session.events;
};

const sessions: Readonly<Record<string, () => readonly Event[] | Promise<readonly Event[]>>> = {
  sample: everyEvent,
  failed: () =>
    begun()
      .command('schema', 'npm run schema')
      .commandEnds('schema', false)
      .fails(
        'schema',
        'review: `npm run schema && npm run check -- --every-file --and-say-why` exited 1 after 4 s: the field hello of nl.json has no {name}, and bye is missing',
      )
      .state('SESSION_REVIEW')
      .state('COMPLETE')
      .add(stopped('awaiting_feedback', 'failed tasks', 1)).events,
  aborted: () =>
    begun()
      .command('schema', 'npm run schema')
      .add({ type: 'abort.requested', signal: null, by: 'kim', message: 'wrong branch' })
      .state('COMPLETE')
      .add(stopped('aborted', 'aborted', 130)).events,
  'a loop': () => loopStory(loopRun({ lasting: 0 })).events,
  hero: heroEvents,
  'waiting for a person': () =>
    begun().qualifies('schema').knowledgeGate(['how-to/a.md', 'reference/b.md']).events,
};

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(withoutBrowser !== null)('the page in Chromium', () => {
  let browser: Browser;
  const folder = makeTempDir();
  const files = new Map<string, string>();
  beforeAll(async () => {
    browser = await openBrowser();
    for (const [name, events] of Object.entries(sessions)) {
      const workspace = join(folder, name.replaceAll(' ', '-'));
      writeSession(workspace, await events());
      const file = join(workspace, 'page.html');
      writeFileSync(file, (await exportsOf(workspace)).html);
      files.set(name, `file://${file}`);
    }
  });
  afterAll(async () => {
    await browser?.close();
    removeTempDir(folder);
  });

  const open = async (
    name: string,
    {
      size = 'desktop',
      ...options
    }: {
      size?: keyof typeof sizes;
      colorScheme?: 'dark' | 'light';
      javaScriptEnabled?: boolean;
      bypassCSP?: boolean;
    } = {},
  ) => {
    const context = await browser.newContext({ viewport: sizes[size], ...options });
    const page = await context.newPage();
    const url = files.get(name) ?? '';
    const complaints = listenTo(page, url);
    await page.goto(url);
    return { page, complaints, close: () => context.close() };
  };

  const looks = Object.keys(sessions).flatMap((name) => [
    [name, 'phone', 'light'] as const,
    [name, 'desktop', 'dark'] as const,
  ]);
  test.each(looks)(
    '%s on a %s in %s: nothing is complained about, asked from outside, or cut off, and axe finds nothing serious',
    async (name, size, colorScheme) => {
      // The page's own policy would keep the judge out as well.
      const { page, complaints, close } = await open(name, { size, colorScheme, bypassCSP: true });
      await page.evaluate(`for (const part of document.querySelectorAll('details')) part.open = true`);
      await page.evaluate(axe);
      const violations = await page.evaluate<readonly string[]>(`
        axe.run(document, { resultTypes: ['violations'] }).then((found) =>
          found.violations.map((each) => each.impact + ' ' + each.id + ': ' + each.nodes[0].html))`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      const narrowest = await page.evaluate<number>(
        `Math.min(...[...document.querySelectorAll('.task > summary .title')].map((title) => title.getBoundingClientRect().width))`,
      );
      // A long reason beside it leaves the title room.
      expect(narrowest).toBeGreaterThan(200);
      expect(violations.filter((each) => /^(serious|critical)/.test(each))).toEqual([]);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(complaints).toEqual({ console: [], requests: [] });
      await close();
    },
  );

  test('without JavaScript and by keyboard alone a person reaches a task in the graph, opens it, and follows a link to another', async () => {
    const { page, close } = await open('sample', { javaScriptEnabled: false });
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toContain('Skip to the session');
    await page.keyboard.press('Enter');
    const reached = page.locator('svg a:focus', { hasText: 'Render the HTML page' });
    for (let presses = 0; presses < 60 && (await reached.count()) === 0; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const body = page
      .locator('details.task', { has: page.locator('summary .id', { hasText: /^html$/ }) })
      .locator('.body');
    await expect.poll(() => body.isVisible()).toBe(true);
    expect(await body.textContent()).toContain('Attempt 2');
    const blocker = body.locator('a', { hasText: /^catalogue$/ });
    await blocker.focus();
    await page.keyboard.press('Enter');
    const other = page
      .locator('details.task', { has: page.locator('summary .id', { hasText: /^catalogue$/ }) })
      .locator('.body');
    await expect.poll(() => other.isVisible()).toBe(true);
    await close();
  });

  test('in print every part is unfolded, and the colours are those of paper', async () => {
    const { page, close } = await open('sample', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.task .body').first().isVisible()).toBe(true);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await close();
  });
});

test.skipIf(withoutBrowser === null)(`skipped: the page in Chromium (${withoutBrowser ?? ''})`, () => {});
