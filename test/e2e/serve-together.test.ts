import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { configFor } from '../helpers/asking-agent.ts';
import { openBrowser, withoutBrowser } from '../helpers/browser.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { openPage, pair, phone, serious, shot } from '../helpers/serve-browser.ts';
import { sessionText } from '../helpers/session-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { writeIn } from '../helpers/workspace.ts';

const tasks = ['a', 'b', 'c'] as const;
const goal = 'Ask everybody';
const plan = `goal: ${goal}
settings: {review: person, isolation: shared, concurrency: {max_parallel_executors: 1}}
tasks:
${tasks.map((id) => `  - {id: ${id}, title: Task ${id}, files: [${id}.txt]}`).join('\n')}
`;

/** An agent that asks in every way, each time after the test has made a file. */
const asks = () =>
  createScriptedAgent(tempDir(), {
    turns: tasks.map((id) => ({
      when: `Task ${id}: `,
      actions: [
        { do: 'until-file', path: `${id}-permission` },
        {
          do: 'permission',
          toolCall: {
            toolCallId: id,
            title: `look at ${id}`,
            kind: 'execute',
            status: 'pending',
            rawInput: { command: `curl ${id}.example` },
          },
        },
        { do: 'until-file', path: `${id}-question` },
        {
          do: 'mcp',
          tool: 'ask_person',
          arguments: { question: `Which name for ${id}?`, options: ['one', 'two'] },
        },
        { do: 'until-file', path: `${id}-review` },
        { do: 'write', path: `${id}.txt`, text: `${id}\n` },
        {
          do: 'say',
          text: JSON.stringify({ status: 'completed', summary: ['Made it.'], files_modified: [`${id}.txt`] }),
        },
      ],
    })),
  });

describe.skipIf(withoutBrowser !== null)('one session on several screens', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('two attached screens and a phone answer each kind of question, and each sees it go where another answered', async () => {
    const env = { XDG_CONFIG_HOME: configFor(asks()), XDG_STATE_HOME: tempDir() };
    const workspace = repositoryWith({ 'plan.yaml': plan, '.gitignore': '/[abc]-*\n' });
    const open = (...args: readonly string[]): TestTerminal => {
      const terminal = openTerminal(args, { cwd: workspace, columns: 120, rows: 40, env });
      onTestFinished(() => terminal.kill('SIGKILL'));
      return terminal;
    };
    const first = open('run', '--plan', 'plan.yaml', '--yes');
    const served = open('serve');
    await served.waitFor('two minutes: ');
    await first.waitFor('works on a');
    first.press('q');
    await first.waitFor('▌Pause and leave');
    first.press('up');
    await first.waitFor('▌Leave it running');
    first.press('enter');
    await first.exit;
    const screens = [open('attach'), open('attach')] as const;
    const [one, two] = screens;
    for (const screen of screens) await screen.waitFor('attached');
    const { page, context, complaints } = await openPage(browser, { viewport: phone, bypassCSP: true });
    await pair(page, served, { name: 'Phone', scope: 'approve', goal });
    await two.waitFor('let the device "Phone" approve here');
    await answerHere(two);
    await page.getByText('Phone may also approve').waitFor();
    const other = await context.newPage();
    await other.goto(page.url());

    /** Waits until nobody is asked any more, on each screen; tells how long the slowest took. */
    const gone = async (what: string): Promise<void> => {
      const began = performance.now();
      await Promise.all([
        ...screens.map((screen) => screen.waitFor((shown) => !shown.includes('Needs you'))),
        ...[page, other].map((each) => each.getByText('Nothing waits for you').waitFor()),
      ]);
      console.log(`${what}: gone everywhere after ${Math.round(performance.now() - began)} ms`);
    };
    /** Lets the agent ask, and waits until each screen shows it. */
    const asked = async (step: string, words: string): Promise<void> => {
      writeIn(workspace, step, '');
      await Promise.all([
        ...screens.map((screen) => screen.waitFor(words)),
        ...[page, other].map((each) => each.locator('.need').getByText(words).first().waitFor()),
      ]);
    };
    await gone('the device');
    for (const [id, screen] of [
      ['a', one],
      ['b', two],
    ] as const) {
      await asked(`${id}-permission`, `curl ${id}.example`);
      await answerHere(screen);
      await gone(`${id}: a permission`);
      await asked(`${id}-question`, `Which name for ${id}?`);
      await answerHere(screen);
      await gone(`${id}: a question`);
      await asked(`${id}-review`, `Accept ${id} (Task ${id})`);
      await answerHere(screen, 'enter');
      await gone(`${id}: a review`);
    }
    expect(await serious(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('form:visible').count()).toBe(0);
    await page.emulateMedia({ media: null });

    // The phone, twice at once: one wins, and the other hears who did.
    await asked('c-permission', 'curl c.example');
    const sent = new Set<Page>();
    const both = Promise.withResolvers<void>();
    for (const each of [page, other]) {
      await each.route('**/act', async (route) => {
        if (sent.add(each).size === 2) both.resolve();
        await both.promise;
        await route.continue();
      });
      await each.getByRole('button', { name: 'Allow once' }).dispatchEvent('click');
    }
    const said = async () =>
      (await Promise.all([page, other].map((each) => each.locator('#said').textContent()))).toSorted();
    await expect.poll(said).toEqual(['Allowed once', 'Not counted: already answered by Phone (device).']);
    for (const each of [page, other]) await each.unroute('**/act');
    await gone('c: a permission');
    await asked('c-question', 'Which name for c?');
    await page.getByRole('button', { name: 'two', exact: true }).click();
    await gone('c: a question');

    const journal = () => sessionText(workspace, 'journal.jsonl');

    // The diff, with a comment on a line.
    await asked('c-review', 'Accept c (Task c)');
    await page.getByRole('link', { name: 'Look at the changes of c' }).click();
    await page.locator('summary', { hasText: '+ c' }).click();
    await page.getByLabel('Line 1').fill('say more');
    await shot(page, 'review');
    await page.getByRole('button', { name: /^reject/ }).click();
    await expect.poll(journal).toMatch(/"type":"ANSWER"[^\n]*c\.txt:1: say more[^\n]*"from":"Phone"/);
    await page.getByRole('link', { name: 'Back to the session' }).click();

    // Words for everybody; what was sent is not left in the field.
    for (const way of ['Inform', 'Steer']) {
      await page.getByLabel('A message to all agents').fill(`${way} you`);
      await page.getByRole('button', { name: way }).click();
      await expect.poll(() => page.getByLabel('A message to all agents').inputValue()).toBe('');
    }
    // By keys alone.
    const keyed = async (name: string, says: string): Promise<void> => {
      const focused = page.locator('button:focus', { hasText: name });
      for (let left = 60; left > 0 && (await focused.count()) === 0; left -= 1)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#said').getByText(says).waitFor();
    };
    await page.locator('h1').click();
    await keyed('Pause', 'Sent: PAUSE');
    await keyed('Resume', 'Sent: RESUME');
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
    expect(complaints).toEqual([]);
  });
});

/** The digit chooses or opens it, and the same one again sends at once. */
const answerHere = async (screen: TestTerminal, key = '1'): Promise<void> => {
  await screen.waitFor(/▌ Waiting for you: .* 1 \S+/);
  screen.press('1');
  await screen.waitFor(/Sends ".*" in|╭─/);
  screen.press(key);
};
