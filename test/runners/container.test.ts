import { expect, test } from 'vitest';
import { containerCommand, containerFault } from '../../src/runners/carriers/container.ts';

const target = {
  name: 'box',
  engine: 'podman',
  image: 'my/node:24',
  program: '/opt/ralph',
  memory: '4g',
  pids: 512,
  network: 'none',
  variables: ['GEMINI_API_KEY'],
} as const;

test('a container has no rights, bounds, our program read-only, and values of variables in no argv', () => {
  expect(containerCommand(target, 'ab12').join(' ')).toBe(
    'podman run --rm -i --init --name=ralph-ab12 --cap-drop=ALL --security-opt=no-new-privileges --pids-limit=512 --memory=4g --network=none --mount type=bind,source=/opt/ralph,target=/ralph,readonly --env GEMINI_API_KEY my/node:24 node /ralph/ralph-tui.js runner --stdio',
  );
  expect(containerCommand({ ...target, network: 'on' }, 'ab12').join(' ')).not.toContain('--network');
});

test.each([
  [
    { kind: 'not-started', reason: 'no such file' },
    '',
    'podman could not be started: no such file',
    'install podman',
  ],
  [
    { kind: 'exited', code: 125 },
    'Error: short-name "my/node:24" did not resolve',
    'podman could not start my/node:24: Error: short-name "my/node:24" did not resolve',
    'try `podman run --rm my/node:24 node --version`',
  ],
  [
    { kind: 'exited', code: 127 },
    'exec: "node": not found',
    'node was not found in my/node:24: exec: "node": not found',
    'name an image that has git and Node 22.12 or newer',
  ],
] as const)(
  'why a container did not start is one sentence with what to do (%j)',
  (exit, said, what, hint) => {
    expect(containerFault(target, exit as Parameters<typeof containerFault>[1], said)).toMatchObject({
      what,
      hint,
    });
  },
);
