import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { TestTerminal } from './terminal.ts';

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 800 };

export interface Shown {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors, warnings, and whatever was asked of another machine. */
  readonly complaints: readonly string[];
}

/** A browser with what it complained about. */
export const openPage = async (browser: Browser, options: BrowserContextOptions): Promise<Shown> => {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) complaints.push(request.url());
  });
  return { context, page, complaints };
};

/** The address that `serve` showed in its terminal; a code below it may have moved it away. */
export const addressOf = (served: TestTerminal): string => /http:\S+(?=\/pair)/.exec(served.raw())?.[0] ?? '';

/** Pairs by the newest code in the terminal, and opens the session with this goal. */
export const pair = async (
  page: Page,
  served: TestTerminal,
  { name, scope, goal }: { readonly name: string; readonly scope: string; readonly goal: string },
): Promise<void> => {
  const code = [...served.screen().matchAll(/two minutes: (\S+)/g)].at(-1)?.[1] ?? '';
  await page.goto(`${addressOf(served)}/pair#${code}`);
  await page.getByLabel('A name for this device').fill(name);
  await page.getByRole('radio', { name: scope }).check();
  await page.getByRole('button', { name: 'Pair' }).click();
  await page.getByRole('link', { name: goal }).click();
  await expect.poll(() => page.locator('h1').textContent()).toBe(goal);
};

/** Another code, for another device. */
export const newCode = async (served: TestTerminal): Promise<void> => {
  served.type('code');
  served.press('enter');
  await served.waitFor(/two minutes: [\s\S]*two minutes: /);
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds serious or critical. The page needs a context that passes over its policy. */
export const serious = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe);
  const found = await page.evaluate<readonly string[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map((each) => each.impact + ' ' + each.id + ': ' + each.nodes[0].html))`,
  );
  return found.filter((each) => /^(?:serious|critical)/.test(each));
};

/** A picture in the directory `SHOTS`, for people who look. */
export const shot = async (page: Page, name: string): Promise<void> => {
  const directory = process.env['SHOTS'];
  if (directory !== undefined)
    await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
};
