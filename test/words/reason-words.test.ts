import { expect, test } from 'vitest';
import { endOf } from '../../src/engine/invocation/invocation-facts.ts';
import { reasonWords } from '../../src/words/reason-words.ts';
import { briefOf } from '../helpers/role-port.ts';

const code = '```ts\nexport const bar = 1;\n```';

test.each([
  ['`npm test` exited 1 after 2 s: # fail 3', '`npm test` exited 1 after 2 s: # fail 3'],
  [
    'review: The date is missing.\n\n- in a.ts\n- in b.ts',
    'review: The date is missing. - in a.ts - in b.ts',
  ],
  [`review: ## Findings\n\n${code}\n\nThe bar has no width.`, 'review: The bar has no width.'],
  [`review: ${code}\nThe bar has no width.`, 'review: The bar has no width.'],
  [`review by Ada: ${code}`, 'review by Ada: export const bar = 1;'],
  ['review: ~~~\n# Not finished\n---\n', 'review: Not finished'],
  ['```', ''],
])('the reason %j is told as %j', (reason, words) => {
  expect(reasonWords(reason)).toBe(words);
});

const saysAfter = (raw: string): unknown =>
  endOf(
    { brief: briefOf(), stop: null, log: { file: 'a.log' }, refused: null },
    { kind: 'no-result', raw, wrong: ['the reply contains no JSON object'] },
  );

test.each([
  ['The model is overloaded.', ', after "The model is overloaded."'],
  [`The bar is drawn.\n\n${code}`, ', after "The bar is drawn."'],
  ['The bar is drawn.\n\n```ts\nexport const bar = 1;', ', after "The bar is drawn."'],
  ['The bar is drawn.\n\n## Next', ', after "The bar is drawn."'],
  ['The bar is drawn.\n~~~\n~~~', ', after "The bar is drawn."'],
  ['{\n  "status": "comp"\n}', ''],
])('a reply without a result that ends %j is quoted with the last line that says something', (raw, quote) => {
  expect(saysAfter(raw)).toMatchObject({
    fault: { what: `ended without a result: the reply contains no JSON object${quote}` },
  });
});
