import { expect, test } from 'vitest';
import { readSources } from '../helpers/source-tree.ts';

/** Where keys are named because they are what the file is about: the tables, and the keys of a field, which nobody can rebind. */
const about =
  /^components\/(?:keys\/(?:key-label|keys|edit-keys|bindings|mouse-reports)|help\/help-rows)\.ts$|^src\/agents\/|^src\/cli\/commands\//;

const named = /\b(?:Esc|Enter|PgUp|PgDn|ctrl-[a-z]|shift-Tab|alt-[A-Za-z]+)\b/;

/** `s steers`, `G follows ↓`, `press q`, `Search first: /`: a key with what it does, in a text that starts or goes on with it. */
const lettered =
  /(?:^|[·:;(,] )(?:[a-zA-Z?!/]|Tab|Space) (?:shows|chooses|changes|follows|opens|answers|resumes?|leaves|sends?|withdraws|steers|approves|again|goes|reads|starts)\b|\bpress [a-zA-Z?] |: [/?]$/;

const strings = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

test('no sentence names a key by itself: {command.id} stands for the key it has on this screen', () => {
  const wrong = readSources()
    .filter(({ path }) => /^(?:components|hooks|src)\//.test(path) && !about.test(path))
    .flatMap(({ path, text }) =>
      text
        .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        .split('\n')
        .filter(
          (line) =>
            !/^\s*(?:keys:|\{ move:|\.{3}closing|(?:commands: \[)?closing|\{ \.{3}closing)/.test(line),
        )
        .flatMap((line) => line.match(strings) ?? [])
        .map((text) => text.slice(1, -1))
        .filter((text) => named.test(text) || lettered.test(text))
        .map((text) => `${path}: ${text}`),
    );
  expect(wrong).toEqual([]);
});
