import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { configFor, createAskingAgent } from '../helpers/asking-agent.ts';
import { openBrowser, withoutBrowser } from '../helpers/browser.ts';
import { runProgram } from '../helpers/program.ts';
import {
  addressOf,
  desktop,
  newCode,
  openPage,
  pair,
  phone,
  serious,
  shot,
} from '../helpers/serve-browser.ts';
import { sessionText } from '../helpers/session-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const goal = 'Make the file';
const plan = `goal: ${goal}
tasks:
  - {id: make, title: Make it, files: [made.txt], verify: ['test -f made.txt']}
`;

test('`serve` starts neither without a terminal nor for an agent, and its devices are listed without it', async () => {
  const workspace = workspaceWith({});
  const env = { XDG_STATE_HOME: tempDir() };
  const bare = await runProgram(['serve'], { cwd: workspace, env });
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('`serve` needs a terminal')]);
  const agent = await runProgram(['serve'], { cwd: workspace, env: { ...env, RALPH_RUN: 'a/run' } });
  expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining('only a person can start `serve`')]);
  expect((await runProgram(['serve', 'devices'], { cwd: workspace, env })).stdout).toBe(
    'No device is paired.\n',
  );
  const wrong = await runProgram(['serve', 'devices', 'revoke', 'x'], { cwd: workspace, env });
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('no device is called "x": none is paired'),
  ]);
});

test('a command for notices or a host that the repository names counts only after a yes', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': 'notify: {command: [touch, evil]}\nserve: {url: "https://evil.example"}\n',
  });
  const terminal = openTerminal(['serve'], { cwd: workspace, columns: 100, rows: 20 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(
    /notify\.command[\s\S]*serve\.url[\s\S]*\[y\/N\]|serve\.url[\s\S]*notify\.command[\s\S]*\[y\/N\]/,
  );
  terminal.type('n\r');
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).toContain('Nothing was started.');
  expect(terminal.screen()).not.toContain('Serving');
});

test('of settings that only a session uses nothing is asked', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': 'agents: {mine: {type: acp, command: [node, agent.mjs]}}\n',
  });
  const terminal = openTerminal(['serve'], { cwd: workspace, columns: 100, rows: 40 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  expect(await terminal.waitFor(/two minutes: |\[y\/N\]/)).not.toContain('[y/N]');
});

describe.skipIf(withoutBrowser !== null)('a session in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const start = async () => {
    const noticed = join(tempDir(), 'noticed');
    const env = {
      XDG_CONFIG_HOME: configFor(createAskingAgent(), {
        gates: ['plan'],
        notify: { command: ['sh', '-c', `cat >> '${noticed}'`], after: '0s' },
      }),
      XDG_STATE_HOME: tempDir(),
    };
    const workspace = workspaceWith({ 'plan.yaml': plan });
    const open = (...args: readonly string[]): TestTerminal => {
      const terminal = openTerminal(args, { cwd: workspace, columns: 120, rows: 50, env });
      onTestFinished(() => terminal.kill('SIGKILL'));
      return terminal;
    };
    const host = open('run', '--plan', 'plan.yaml');
    const served = open('serve');
    await served.waitFor('two minutes: ');
    await host.waitFor('Needs you (1)');
    return { workspace, open, host, served, noticed };
  };

  test('a phone pairs, is confirmed by a key, approves a plan, refuses and allows, steers, and is revoked; a second screen sees each answer', async () => {
    const { workspace, open, host, served, noticed } = await start();
    // Nobody looks yet.
    await expect
      .poll(() => existsSync(noticed) && readFileSync(noticed, 'utf8'))
      .toMatch(/^\{"session":"\d{6}-\d{6}","kind":"question","since":"[^"]+","waiting":1\}\n$/);
    const journal = () => sessionText(workspace, 'journal.jsonl');
    const { page, complaints, context } = await openPage(browser, { viewport: phone });
    await pair(page, served, { name: 'Kims phone', scope: 'approve', goal });
    await shot(page, 'plan-gate');

    // The key on the hosting screen.
    await host.waitFor('Needs you (2)');
    host.press('u');
    await host.waitFor('Kims phone');
    host.press('down');
    host.press('enter');
    await host.waitFor('serve asks for permission');
    host.press('1');
    await page.getByText('Kims phone may also approve').waitFor();

    // A second device only watches.
    await newCode(served);
    const second = await openPage(browser, { viewport: desktop, bypassCSP: true });
    await pair(second.page, served, { name: 'Desk', scope: 'watch', goal });

    // A screen shows the same from its palette, and asks for a new code.
    const screen = open('attach');
    await screen.waitFor('attached');
    screen.press(':');
    await screen.waitFor(/Commands: \d+/);
    screen.type('serve');
    await screen.waitFor((shown) => /: serve/.test(shown) && /Commands: \d\b/.test(shown));
    screen.press('enter');
    await screen.waitFor(
      /Serve: 2 paired[\s\S]*Kims phone {2}approve +views a page[\s\S]*Desk {2}watch +views a page/,
    );
    screen.press('c');
    await screen.waitFor(/Code {2}\w+-\w+/);
    await screen.kill('SIGKILL');

    await page.getByRole('link', { name: 'Read the plan, with comments' }).click();
    await page.getByText('Make it').first().click();
    await page.getByLabel('A comment on make').fill('name it made.txt');
    await shot(page, 'plan');
    await page.getByRole('button', { name: /^approve/ }).click();
    await page.getByText('takes approve without a message').waitFor();
    await page.getByLabel('A comment on make').fill('');
    await page.getByRole('button', { name: /^approve/ }).click();
    await page.getByText('Sent: your answer').waitFor();
    await page.getByRole('link', { name: 'Back to the session' }).click();

    // A permission, refused with a reason: it goes on the other screen, too.
    await second.page.getByText('touch made.txt').first().waitFor();
    await page.getByLabel('Why not').fill('use the other name');
    await shot(page, 'permission');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await expect
      .poll(journal)
      .toMatch(
        /"permission.answered"[^\n]*"decision":"no","by":"Kims phone \(device\)","why":"use the other name"/,
      );
    await expect.poll(journal).toMatch(/"type":"STEER"[^\n]*"use the other name"[^\n]*"from":"Kims phone"/);

    // It asks again in the next attempt. What a person types meanwhile stays.
    const asked = () => [
      ...journal().matchAll(/"permission.asked"[^\n]*"request":"(permission:Executor[^"]+)"/g),
    ];
    await expect.poll(() => asked().length).toBe(2);
    await page.locator(`input[value="${asked().at(-1)?.[1]}"]`).waitFor({ state: 'attached' });
    // A message to the task, from its page, in a tab of its own.
    const ofTask = await context.newPage();
    await ofTask.goto(`${page.url()}/task/make`);
    await ofTask.getByLabel('A message to its agent').fill('Say what you made');
    await ofTask.getByRole('button', { name: 'Inform' }).click();
    await ofTask.getByText('Sent: INFO').waitFor();
    await ofTask.close();
    await page.getByLabel('A message to all agents').fill('Use short names');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await second.page.getByText('Nothing waits for you').waitFor();
    await expect.poll(() => existsSync(join(workspace, 'made.txt'))).toBe(true);
    expect(await page.getByLabel('A message to all agents').inputValue()).toBe('Use short names');
    await shot(page, 'after');
    await expect.poll(() => page.locator('#head').textContent()).toContain('1 of 1 done');

    // By what was sent, and by whom, and what became of it.
    await page.getByText('Kims phone (device)').first().waitFor();
    await expect
      .poll(() => page.locator('#steering').textContent())
      .toMatch(/INFO to make\s*Kims phone\s*Say what you made\s*read by the agent on make/);

    expect(await serious(second.page)).toEqual([]);
    const every = await second.context.newPage();
    for (const path of [
      `${addressOf(served)}/`,
      `${addressOf(served)}/pair`,
      `${second.page.url()}/task/make`,
    ]) {
      await every.goto(path);
      expect([path, await serious(every)]).toEqual([path, []]);
    }
    await every.close();
    await shot(second.page, 'desktop');
    expect(complaints).toEqual([]);
    expect(second.complaints).toEqual([]);

    // Without script it reads.
    const reading = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
    onTestFinished(() => reading.close());
    await reading.addCookies(await context.cookies());
    const plain = await reading.newPage();
    await plain.goto(page.url());
    expect(await plain.locator('h1').textContent()).toBe('Make the file');

    // The browser asks for notices; its service worker shows one. Chromium here has no push service: the test stands in for it, and refuses as it does.
    await context.grantPermissions(['notifications']);
    await page.addInitScript(`PushManager.prototype.subscribe = async () => {
      const [registration] = await navigator.serviceWorker.getRegistrations();
      if (registration.active === null) throw new Error('no active service worker');
      return {
        endpoint: 'https://fcm.googleapis.com/x',
        getKey: (name) => new Uint8Array(name === 'auth' ? 16 : 65).buffer,
      };
    };`);
    // On a slow machine the worker still starts when its script is there.
    await context.route('**/push.js', async (route) => {
      const response = await route.fetch();
      const late =
        "self.addEventListener('install', (event) => event.waitUntil(new Promise((done) => setTimeout(done, 500))));";
      await route.fulfill({ response, body: `${await response.text()}\n${late}` });
    });
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'Notify this device', exact: true }).click();
    await page.getByText('This device gets notices.').waitFor();
    expect(await delivered(page, { session: '261128-120000', kind: 'question', waiting: 2 })).toEqual([
      ['ralph-tui needs you', 'Waits for you: question, and 1 more'],
    ]);
    expect(complaints).toEqual([]);
    await page.goBack();
    await page.locator('body[data-live=yes]').waitFor();

    served.type('revoke Kims phone');
    served.press('enter');
    await page.getByText('This device was revoked').waitFor();
    await page.reload();
    await page.getByText('This device is not paired any more').waitFor();

    // A page whose `serve` has ended says so.
    served.type('quit');
    served.press('enter');
    await second.page.getByText('Not connected').waitFor();
  });
});

/** Delivers a message to the page's service worker, and gives the notices that it shows then. */
const delivered = async (page: Page, notice: object): Promise<unknown> => {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations;
      if (found !== undefined) resolve(found.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify(notice),
  });
  const shown = (): Promise<unknown> =>
    page.evaluate(`navigator.serviceWorker
      .getRegistrations()
      .then((all) => Promise.all(all.map((each) => each.getNotifications())))
      .then((shown) => shown.flat().map(({ title, body }) => [title, body]))`);
  await expect.poll(shown).toHaveLength(1);
  return shown();
};

test.skipIf(withoutBrowser === null)(`skipped: a session in a browser (${withoutBrowser ?? ''})`, () => {});
