import { expect, test } from 'vitest';
import { chosenBy } from '../../src/agents/roles/promotion-words.ts';

const staged = ['reference/api.md', 'tutorials/first.md', 'how-to/use.md'];

test.each([
  ['', staged],
  ['Looks good, promote all', staged],
  ['Promote only the API reference, not the tutorial', ['reference/api.md']],
  ['Promote only the API reference, not how-to/use.md', ['reference/api.md']],
  ['Everything except the how-to', ['reference/api.md', 'tutorials/first.md']],
  ['Do not promote tutorials/first.md', ['reference/api.md', 'how-to/use.md']],
  ['just use.md', ['how-to/use.md']],
] as const)('"%s" promotes %j', (message, files) => {
  expect(chosenBy(message, staged)).toEqual({ files });
});

test.each(['Only the changelog', 'Not the one about deploys', 'only if the tests pass'])(
  '"%s" names no staged file, so nothing is promoted',
  (message) => {
    expect(chosenBy(message, staged)).toHaveProperty('unclear');
  },
);

test.each([
  ['this one only', ['how-to/use.md'], ['how-to/use.md']],
  ['Not sure about the others, without haste', ['how-to/use.md'], ['how-to/use.md']],
  ['only this one, not the tutorial', ['how-to/use.md'], ['how-to/use.md']],
  ['not the tutorial', ['how-to/use.md', 'tutorials/first.md'], ['how-to/use.md']],
  ['only the reference', ['how-to/use.md', 'reference/api.md'], ['reference/api.md']],
] as const)('"%s" beside the list %j promotes %j', (message, listed, files) => {
  expect(chosenBy(message, staged, listed)).toEqual({ files });
});

test.each([
  ['only the reference', ['how-to/use.md']],
  ['not the how-to', ['how-to/use.md']],
] as const)('"%s" contradicts the list %j, so nothing is promoted', (message, listed) => {
  expect(chosenBy(message, staged, listed)).toHaveProperty('unclear');
});
