import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { configFor } from '../helpers/asking-agent.ts';
import { openBrowser, withoutBrowser } from '../helpers/browser.ts';
import { leaveRunning } from '../helpers/leave-running.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { openPage, pair, phone, serious, shot } from '../helpers/serve-browser.ts';
import { sessionText } from '../helpers/session-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { writeIn } from '../helpers/workspace.ts';

const tasks = ['a', 'b', 'c'] as const;
const goal = 'Ask everybody';
const planned = [
  { id: 'first', title: 'Task first', objective: 'Begin', files: ['text.txt'] },
  ...tasks.map((id) => ({ id, title: `Task ${id}`, objective: 'Ask', files: ['text.txt', `${id}.txt`] })),
];
const settings = { review: 'person', isolation: 'worktree', concurrency: { max_parallel_executors: 4 } };
const plan = JSON.stringify({ goal, settings, tasks: planned });

const reply = (value: object) => ({ do: 'say', text: JSON.stringify(value) }) as const;
const made = (...files: readonly string[]) =>
  reply({ status: 'completed', summary: ['Made it.'], files_modified: files });
const writes = (path: string, text: string) => ({ do: 'write', path, text }) as const;
const permission = (id: string) =>
  ({
    do: 'permission',
    toolCall: {
      toolCallId: id,
      title: `look at ${id}`,
      kind: 'execute',
      status: 'pending',
      rawInput: { command: `curl ${id}.example` },
    },
  }) as const;
const question = (id: string) =>
  ({
    do: 'mcp',
    tool: 'ask_person',
    arguments: { question: `Which name for ${id}?`, options: ['one', 'two'] },
  }) as const;

/** An agent that asks in every way, each time after the test has made a file in `go`. One task is done before the others end, and each of them conflicts with it. */
const asks = (go: string) => {
  const until = (name: string) => ({ do: 'until-file', path: join(go, name) }) as const;
  return createScriptedAgent(tempDir(), {
    turns: [
      // The newest words that the Planner was given.
      ...['not yet', 'ask twice', '# Planner'].map((when) => ({
        when,
        actions: [until(`plan ${when}`), reply({ tasks: planned })],
      })),
      { when: 'say more', actions: [made('text.txt', 'c.txt')] },
      { when: 'Task first: ', actions: [writes('text.txt', 'first\n'), made('text.txt')] },
      ...tasks.map((id) => ({
        when: `Task ${id}: `,
        actions: [
          until(`${id} permission`),
          permission(id),
          until(`${id} question`),
          question(id),
          until(`${id} review`),
          writes('text.txt', `${id}\n`),
          writes(`${id}.txt`, `${id}\n`),
          made('text.txt', `${id}.txt`),
        ],
      })),
    ],
  });
};

describe.skipIf(withoutBrowser !== null)('one session on several screens', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('two attached screens and a phone answer each kind of question, and each sees it go where another answered', async () => {
    const go = tempDir();
    const agent = asks(go);
    const config = configFor(agent, { gates: ['plan'], roles: { executor: 'mine', planner: 'mine' } });
    const env = { XDG_CONFIG_HOME: config, XDG_STATE_HOME: tempDir() };
    const workspace = repositoryWith({ 'plan.yaml': plan, 'text.txt': '\n' });
    const open = (...args: readonly string[]): TestTerminal => {
      const terminal = openTerminal(args, { cwd: workspace, columns: 120, rows: 40, env });
      onTestFinished(() => terminal.kill('SIGKILL'));
      return terminal;
    };
    writeIn(go, 'plan # Planner', '');
    const host = open('run', '--plan', 'plan.yaml', '--yes');
    const served = open('serve');
    await served.waitFor('two minutes: ');
    await host.waitFor('approve the plan');
    await leaveRunning(host);
    const screens = [open('attach'), open('attach')] as const;
    const [one, two] = screens;
    for (const screen of screens) await screen.waitFor('attached');
    const { page, context, complaints } = await openPage(browser, { viewport: phone, bypassCSP: true });
    await pair(page, served, { name: 'Phone', scope: 'approve', goal });
    await confirmDevice(two);
    await page.getByText('Phone may also approve').waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    // A page behind another one draws, and is clicked, once a second.
    await page.bringToFront();
    const pages = [page, other];

    /** Lets the agent go on, and waits until everybody is asked. */
    const asked = async (words: string, step?: string): Promise<void> => {
      if (step !== undefined) writeIn(go, step, '');
      await Promise.all([
        ...screens.map((screen) => screen.waitFor((shown) => isAsked(shown, words))),
        ...pages.map((each) => untilAsked(each, words, true)),
      ]);
    };
    /** Waits until nobody is asked this any more; tells how long the slowest took. */
    const gone = async (what: string, words: string): Promise<void> => {
      const began = performance.now();
      await Promise.all([
        ...screens.map((screen) =>
          screen.waitFor((shown) => !isAsked(shown, words) && !shown.includes('Waiting for your answer')),
        ),
        ...pages.map((each) => untilAsked(each, words, false)),
      ]);
      console.log(`${what}: gone everywhere after ${Math.round(performance.now() - began)} ms`);
    };
    const press = (name: string | RegExp, exact = true): Promise<void> =>
      page.getByRole('button', { name, exact }).click();

    // The plan: sent back by the phone, with a comment on a task, and by a screen, with words; approved by the other.
    await page.getByRole('link', { name: 'Read the plan, with comments' }).click();
    await page.locator('summary', { hasText: 'Task a' }).click();
    await page.getByLabel('A comment on a').fill('ask twice');
    expect(await serious(page)).toEqual([]);
    await press(/^revise/);
    await page.getByText('Sent: your answer').waitFor();
    await page.getByRole('link', { name: 'Back to the session' }).click();
    await gone('a plan', 'approve the plan');
    await asked('approve the plan', 'plan ask twice');
    two.press('1');
    await two.waitFor('Approve this plan?');
    two.press('2');
    two.type('not yet');
    two.press('enter');
    await gone('a plan', 'approve the plan');
    await asked('approve the plan', 'plan not yet');
    one.press('1');
    await one.waitFor('Approve this plan?');
    one.press('enter');
    await one.waitFor('▌1 approve');
    one.press('enter');
    await gone('a plan', 'approve the plan');

    // Everyone has begun before the first merge.
    await asked('Accept first');
    await expect
      .poll(() => agent.log().filter(({ what }) => what === 'turn').length)
      .toBe(3 + planned.length);
    await answerAtOnce(one, 'enter');
    await gone('a review', 'Accept first');
    for (const [id, screen] of [
      ['a', one],
      ['b', two],
    ] as const) {
      await asked('mine asks', `${id} permission`);
      await answerAtOnce(screen, '1');
      await gone(`${id}: a permission`, 'mine asks');
      await asked(`Which name for ${id}?`, `${id} question`);
      await answerAtOnce(screen, '1');
      await gone(`${id}: a question`, 'Which name');
      await asked(`Accept ${id}`, `${id} review`);
      await answerAtOnce(screen, 'enter');
      await gone(`${id}: a review`, 'Accept');
      await asked(`${id} conflicts with`);
      await choose(screen, '2', 'task');
      await gone(`${id}: a merge`, `${id} conflicts`);
    }
    expect(await serious(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('form:visible').count()).toBe(0);
    await page.emulateMedia({ media: null });

    // The phone, twice at once: one wins, and the other hears who did.
    await asked('mine asks', 'c permission');
    await bothAtOnce(pages, 'Allow once');
    await expect
      .poll(async () => (await Promise.all(pages.map(saidOn))).toSorted())
      .toEqual(['Allowed once', 'Not counted: already answered by Phone (device).']);
    await gone('c: a permission', 'mine asks');
    await asked('Which name for c?', 'c question');
    await bothAtOnce(pages, 'two');
    await expect
      .poll(async () => (await Promise.all(pages.map(saidOn))).toSorted().join(' | '))
      .toMatch(/^(?:Already|Not counted: already) answered by Phone\. \| Sent: your answer$/);
    await gone('c: a question', 'Which name');
    const journal = () => sessionText(workspace, 'journal.jsonl');

    // The diff, with a comment on a line; then what was made of it.
    await asked('Accept c', 'c review');
    await page.getByRole('link', { name: 'Look at the changes of c' }).click();
    await page.locator('summary', { hasText: '+ c' }).last().click();
    await page.getByLabel('Line 1').last().fill('say more');
    await shot(page, 'review');
    await press(/^reject/);
    await expect.poll(journal).toMatch(/"type":"ANSWER"[^\n]*text\.txt:1: say more[^\n]*"from":"Phone"/);
    await page.getByRole('link', { name: 'Back to the session' }).click();
    await asked('Accept c');
    await press(/^accept/);
    await gone('c: a review', 'Accept');
    await asked('c conflicts with');
    await press(/^task/);
    await gone('c: a merge', 'c conflicts');

    // What becomes of the branch: a file of the person is in the way, another one each time.
    await asked('ralph/');
    const inTheWay = async (file: string, before?: string): Promise<void> => {
      if (before !== undefined) rmSync(join(workspace, before));
      writeIn(workspace, file, 'mine\n');
    };
    await inTheWay('a.txt');
    await choose(one, '2');
    await asked('a.txt in your workspace');
    await inTheWay('b.txt', 'a.txt');
    await choose(two, '2');
    await gone('the changes', 'a.txt in your workspace');
    await asked('b.txt in your workspace');
    await inTheWay('c.txt', 'b.txt');
    await press(/^merge/);
    await gone('the changes', 'b.txt in your workspace');
    await asked('c.txt in your workspace');

    // Words for everybody; what was sent is not left in the field.
    for (const way of ['Inform', 'Steer']) {
      await page.getByLabel('A message to all agents').fill(`${way} you`);
      await press(way);
      await expect.poll(() => page.getByLabel('A message to all agents').inputValue()).toBe('');
    }
    // By keys alone.
    await page.locator('h1').click();
    await byKeys(page, 'Pause', 'Sent: PAUSE');
    await byKeys(page, 'Resume', 'Sent: RESUME');
    for (const [type, words] of [
      ['INFO', '"Inform you"'],
      ['STEER', '"Steer you"'],
      ['PAUSE', ''],
      ['RESUME', ''],
    ])
      await expect.poll(journal).toMatch(new RegExp(`"type":"${type}"[^\\n]*${words}[^\\n]*"from":"Phone"`));

    // A button that is let go aborts nothing; held for two seconds it does.
    const abort = page.getByRole('button', { name: 'Hold two seconds to abort' });
    await abort.hover();
    await page.mouse.down();
    await page.getByText('Keep holding').waitFor();
    await page.mouse.move(1, 1);
    await page.locator('button.held').waitFor({ state: 'detached' });
    await page.mouse.up();
    await abort.focus();
    await page.keyboard.down('Enter');
    await expect.poll(journal).toMatch(/"type":"ABORT"[^\n]*"from":"Phone"/);
    await page.keyboard.up('Enter');
    expect(journal().match(/"type":"signal.claimed"[^\n]*"type":"ABORT"/g)?.length).toBe(1);
    for (const screen of [...screens.map(({ pid }) => `attached screen, process ${pid}`), 'Phone (device)'])
      expect(journal()).toMatch(new RegExp(`"permission.answered"[^\\n]*${screen.replace(/[()]/g, '.')}`));
    for (const kind of ['review:c:2', 'merge:c:2:1', 'changes:1:2'])
      expect(journal()).toMatch(new RegExp(`"question.answered","request":"${kind}"[^\\n]*"by":"Phone"`));
    expect(complaints).toEqual([]);
  });
});

/** Whether the line that says what happens now asks this. */
const isAsked = (shown: string, words: string): boolean =>
  shown.split('\n').some((row) => row.includes('▌ Waiting for you: ') && row.includes(words));

/** Looks often: a locator of Playwright waits half a second between two looks. */
const untilAsked = (page: Page, words: string, wanted: boolean): Promise<unknown> =>
  page.waitForFunction(
    `[...document.querySelectorAll('.need')].some((each) => each.textContent.toLowerCase().includes(${JSON.stringify(words.toLowerCase())})) === ${wanted}`,
    null,
    { polling: 20 },
  );

/** The list of all that waits, where a plan waits, too. */
const confirmDevice = async (screen: TestTerminal): Promise<void> => {
  await screen.waitFor('Needs you (2)');
  screen.press('u');
  await screen.waitFor('let the device "Phone" approve here');
  screen.press('down');
  screen.press('enter');
  await screen.waitFor('serve asks for permission');
  screen.press('1');
  await screen.waitFor('Needs you (1)');
  screen.press('escape');
  await screen.waitFor('Waiting for you: approve the plan');
};

/** The digit chooses or opens it; the key sends. */
const answerAtOnce = async (screen: TestTerminal, key: string): Promise<void> => {
  await screen.waitFor(/▌ Waiting for you: .* 1 \S+/);
  screen.press('1');
  await screen.waitFor(/Sends ".*" in|╭─/);
  screen.press(key);
};

/** Opens it and takes one of its choices. `label`: of one that is only marked, and sent by Enter. */
const choose = async (screen: TestTerminal, digit: string, label?: string): Promise<void> => {
  screen.press('1');
  await screen.waitFor('╭─');
  screen.press(digit);
  if (label === undefined) return;
  await screen.waitFor(`▌${digit} ${label}`);
  screen.press('enter');
};

const saidOn = (page: Page): Promise<string | null> => page.locator('#said').textContent();

/** Presses the button on each page; nothing is sent before all would send. */
const bothAtOnce = async (pages: readonly Page[], name: string): Promise<void> => {
  const sent = new Set<Page>();
  const all = Promise.withResolvers<void>();
  for (const page of pages) {
    await page.route(
      '**/act',
      async (route) => {
        if (sent.add(page).size === pages.length) all.resolve();
        await all.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name, exact: true }).dispatchEvent('click');
  }
};

/** Presses a button by the tab key and Enter. */
const byKeys = async (page: Page, name: string, says: string): Promise<void> => {
  const focused = page.locator('button:focus', { hasText: name });
  for (let left = 60; left > 0 && (await focused.count()) === 0; left -= 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#said').getByText(says).waitFor();
};
