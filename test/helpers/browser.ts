import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { limits } from './limits.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; `null` where there is none. */
export const browserFile = places.find((place) => existsSync(place)) ?? null;

/** Why tests in a browser are skipped here; `null` where they run. Continuous integration installs one, so that its absence is a failure there. */
export const withoutBrowser: string | null =
  browserFile === null && !process.env['CI']
    ? 'no Chromium here; `apt-get install chromium` brings it'
    : null;

/** A headless browser. Root may not use the sandbox of Chromium. Its pages wait as long as all tests do, instead of for 30 s. */
export const openBrowser = async (): Promise<Browser> => {
  if (browserFile === null) throw new Error('no Chromium, which these tests need: apt-get install chromium');
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: browserFile,
    args: isRoot ? ['--no-sandbox'] : [],
    timeout: limits.wait,
  });
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    newContext: async (options?: BrowserContextOptions) => {
      const context = await newContext(options);
      context.setDefaultTimeout(limits.wait);
      return context;
    },
  });
};

/** What a page asked for beyond itself, and what it complained about. */
export interface Complaints {
  readonly console: string[];
  readonly requests: string[];
}

export const listenTo = (page: Page, own: string): Complaints => {
  const complaints: Complaints = { console: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.console.push(message.text());
  });
  page.on('pageerror', (error) => complaints.console.push(String(error)));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== own) complaints.requests.push(request.url());
  });
  return complaints;
};
