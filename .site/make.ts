import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePage } from './make-pages.ts';
import { pages } from './pages.ts';

/** `npm run site` writes the pages from the READMEs into `.cache/site/pages` first; VitePress builds them into `.cache/site/built`. */
const root = join(import.meta.dirname, '..');
const target = join(root, '.cache/site/pages');

rmSync(target, { recursive: true, force: true });
for (const page of pages) {
  const file = join(target, `${page.path}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    makePage(page, (path) => readFileSync(join(root, path), 'utf8')),
  );
}
cpSync(join(root, 'test/picture'), join(target, 'public/picture'), {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
});
