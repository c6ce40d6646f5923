import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../.site/pages.ts';
import { openBrowser, withoutBrowser } from '../helpers/browser.ts';
import { filesBelow, root } from '../helpers/source-tree.ts';
import { isLongForm } from '../helpers/test-form.ts';

const built = join(root, '.cache/site/built');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The file that answers a path of the site, or `null`. */
const fileOf = (path: string): string | null =>
  [path, `${path}.html`, join(path, 'index.html')]
    .map((name) => join(built, decodeURIComponent(name)))
    .find((file) => extname(file) !== '' && existsSync(file)) ?? null;

const htmlOf = (path: string): string => readFileSync(fileOf(path) ?? '', 'utf8');

/** Links and sources of a page that lead nowhere. Paths are absolute; others are of other places. */
const brokenIn = (path: string): readonly string[] =>
  [...htmlOf(path).matchAll(/<(?:a|img|link|script)\b[^>]*\b(?:href|src)="([^"]*)"/g)]
    .map(([, target = '']) => target.replaceAll('&amp;', '&'))
    .filter((target) => !/^(?:https?|data):/.test(target))
    .filter((target) => {
      const [to = '', anchor] = target.split('#');
      const file = fileOf(to === '' ? path : to);
      const isThere =
        file !== null &&
        (anchor === undefined ||
          anchor === '' ||
          readFileSync(file, 'utf8').includes(`id="${decodeURIComponent(anchor)}"`));
      return !isThere;
    });

describe.runIf(isLongForm)('the site', () => {
  let server: Server;
  let address = '';
  beforeAll(async () => {
    execFileSync('npm', ['run', '-s', 'site'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    server = createServer(({ url = '/' }, response) => {
      const file = fileOf(new URL(url, 'http://site').pathname);
      response.writeHead(file === null ? 404 : 200, {
        'content-type': types[extname(file ?? '')] ?? 'font/woff2',
      });
      response.end(file === null ? '' : readFileSync(file));
    });
    const listening = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', listening.resolve);
    await listening.promise;
    const at = server.address();
    address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
  });
  afterAll(() => void server?.close());

  test('every page is there, and every link and picture of each leads somewhere', () => {
    const paths = pages.map(({ path }) => `/${path === 'index' ? '' : path}`);
    expect(paths.filter((path) => fileOf(path) === null)).toEqual([]);
    const broken = paths.flatMap((path) => brokenIn(path).map((target) => `${path}: ${target}`));
    expect(broken).toEqual([]);
    expect(filesBelow(['.cache/site/built'], /\.html$/).length).toBeGreaterThanOrEqual(pages.length);
  });

  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  test.skipIf(withoutBrowser !== null)(
    'on a phone and a desktop, dark and light, it asks nothing from elsewhere, cuts nothing off, and axe finds nothing serious',
    async () => {
      const browser = await openBrowser();
      try {
        const found: string[] = [];
        for (const [width, height, colorScheme, paths] of [
          [390, 844, 'light', ['/', '/reference/settings']],
          [1280, 800, 'dark', ['/', '/protocol/signals']],
        ] as const)
          for (const path of paths) {
            const page = await browser.newPage({ viewport: { width, height }, colorScheme });
            const said: string[] = [];
            page.on('pageerror', (error) => said.push(String(error)));
            page.on('console', (message) => {
              if (message.type() === 'error') said.push(message.text());
            });
            page.on('request', (request) => {
              if (!request.url().startsWith(address)) said.push(request.url());
            });
            await page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
            await page.evaluate(axe);
            const violations = await page.evaluate<readonly string[]>(`
              axe.run(document, { resultTypes: ['violations'] }).then((found) =>
                found.violations.filter(({ impact }) => /serious|critical/.test(impact)).map((each) => each.id + ': ' + each.nodes[0].html))`);
            const overflow = await page.evaluate<number>(
              'document.documentElement.scrollWidth - document.documentElement.clientWidth',
            );
            const about = `${path} ${width}: `;
            found.push(...[...violations, ...said].map((each) => about + each));
            if (overflow > 0) found.push(`${about}${overflow} px too wide`);
            await page.close();
          }
        expect(found).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});
