import { marked } from 'marked';
import { expect, test } from 'vitest';
import { late } from '../../src/base/memoise.ts';
import { everyEvent, exportsOf, withTexts, writeSession } from '../helpers/page-session.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const attacks = [
  '<script>alert(1)</script>',
  '</style><img src=x onerror=alert(2)>',
  '"><svg/onload=alert(3)>',
  "' onmouseover='alert(4)",
  '</title></textarea><iframe src=//evil.example>',
  'javascript:alert(5)',
  '\u202eevil\u2066',
  '\u001b]52;c;ZXZpbA==\u0007\u001b[2Jgone',
  '[click](javascript:alert(6)) ![x](http://evil.example/x.png) | `code` <!-- hidden',
  '&lt;script&gt;',
  'see www.evil.example and mail@evil.example, @everyone',
  '# heading\n- item\n> quote\n***bold***',
];

const tagsOf = (html: string): readonly string[] =>
  [...new Set([...html.matchAll(/<\/?([a-z!][\w-]*)/gi)].map(([, name]) => name ?? ''))].sort();

test('hostile text in every field of every event shows as text, on the page and in the summary', async () => {
  const [plain, hostile] = [tempDir(), tempDir()];
  writeSession(
    plain,
    withTexts(everyEvent(), (number) => `words ${number}`),
  );
  writeSession(
    hostile,
    withTexts(everyEvent(), (number) => `${attacks[number % attacks.length]} ${number}`),
  );
  const clean = await exportsOf(plain, { full: true });
  const { html, markdown, model } = await exportsOf(hostile, { full: true });

  // The same session gives the same tags: nothing of its text became one.
  expect(tagsOf(html)).toEqual(tagsOf(clean.html));
  // Each attribute stands in quotes, and no text ended one.
  const names = [...html.matchAll(/<[a-z][^>]*>/gi)].flatMap(([tag]) =>
    [...tag.replace(/"[^"]*"/g, '""').matchAll(/\s([\w-]+)=/g)].map(([, name]) => name),
  );
  expect(names.filter((name) => name?.startsWith('on'))).toEqual([]);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/href="(?!#)/);
  expect(html + markdown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b\u0007]/);
  const drawn = await marked.parse(markdown, { gfm: true });
  expect(tagsOf(drawn)).toEqual(tagsOf(await marked.parse(clean.markdown, { gfm: true })));
  expect(drawn).not.toMatch(/<(?:a|img|script)\b/);
  expect(model.goal).toContain('alert');
});

/** The tags of the summary of a session whose texts are plain words, read once. */
const tagsOfPlainWords = late(async () => {
  const plain = tempDir();
  writeSession(
    plain,
    withTexts(everyEvent(), () => 'words'),
  );
  const { markdown } = await exportsOf(plain, {});
  return tagsOf(await marked.parse(markdown, { gfm: true }));
});

test.for(['# heading', '1. item', '+ item', '- item', '2) item'])(
  'a text that begins as “%s” is no markup where a line begins',
  async (words) => {
    const workspace = tempDir();
    writeSession(
      workspace,
      withTexts(everyEvent(), () => words),
    );
    const { markdown } = await exportsOf(workspace, {});
    const drawn = await marked.parse(markdown, { gfm: true });
    expect(tagsOf(drawn)).toEqual(await tagsOfPlainWords());
  },
);

test('the page asks for nothing outside itself, and its policy would refuse it', async () => {
  const workspace = tempDir();
  writeSession(workspace, everyEvent());
  const { html } = await exportsOf(workspace, { full: true });
  expect(html).not.toMatch(/<(?:script|link|img|iframe|object|embed|form)\b|\bsrc=|url\(|@import/);
  expect(html).toContain('default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;');
});
