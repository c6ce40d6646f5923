import { expect, test } from 'vitest';
import { killProgram } from '../torture/kill-program.ts';

test('a session whose program is killed again and again ends as an undisturbed one', async () => {
  expect(await killProgram(4, 4)).toMatchObject({ kills: 4, problems: [] });
}, 120_000);
