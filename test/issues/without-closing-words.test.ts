import { expect, test } from 'vitest';
import { withoutClosingWords } from '../../src/issues/pull-requests/without-closing-words.ts';

test('a text of an agent closes no issue on GitHub, and says the same', () => {
  const planted = [
    ['Closes #7', 'Closes `#7`'],
    ['this FIXES: acme/other#12.', 'this FIXES: `acme/other#12`.'],
    ['resolved GH-3 and fix #4', 'resolved `GH-3` and fix `#4`'],
    ['close https://github.com/acme/x/issues/9', 'close `https://github.com/acme/x/issues/9`'],
  ];
  for (const [text = '', plain] of planted) expect(withoutClosingWords(text)).toBe(plain);
  for (const text of ['see #7', 'prefixes #7', 'a fix for #7', 'closes the file'])
    expect(withoutClosingWords(text)).toBe(text);
});
