import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../helpers/source-tree.ts';
import { cases } from './hostile-corpus.ts';
import { hostileInput, mistakesOfPeers } from './hostile-words.ts';

const lines = [...Object.values(hostileInput), mistakesOfPeers].flatMap((text) => text.split(' · '));

test('every line of the corpus has a case, and no case is for a line that is not there', () => {
  expect([...cases.keys()].sort()).toEqual([...lines].sort());
});

test.each(lines)('the case of "%s" is where the corpus says', (line) => {
  const places = cases.get(line) ?? [];
  expect(places.length).toBeGreaterThan(0);
  for (const [file, words] of places) {
    const text = readFileSync(join(root, file), 'utf8');
    // A title, or a row of a table: words in a comment prove nothing.
    const named = text.split('\n').filter((it) => it.includes(words) && !/^\s*(?:\/\/|\*|\/\*)/.test(it));
    expect(named, `${file}: ${words}`).not.toEqual([]);
  }
});
