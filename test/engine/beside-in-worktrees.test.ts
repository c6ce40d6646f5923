import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend, BackendHost, Brief } from '../../src/agents/port.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

/** What the agent of task `one` does while that of `two` works in the worktree `other`. Returns what it reports. */
type Work = (own: string, other: string, host: BackendHost) => readonly string[];

const plan = (isBeside: boolean): string => `goal: Two files
tasks:
  - {id: one, title: One, files: [one.txt], verify: ['test -e one.txt']}
  - {id: two, title: Two, files: [two.txt], verify: ['test -e two.txt']${isBeside ? '' : ', blockedBy: [one]'}}
`;

const sessionOf = async (
  work: Work,
  {
    isBeside = true,
    reported = [],
  }: { readonly isBeside?: boolean; readonly reported?: readonly string[] } = {},
) => {
  const world = changesWorld(template);
  const placeOfTwo = Promise.withResolvers<string>();
  const oneEnded = Promise.withResolvers<void>();
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: ({ task, workspace }: Brief, host) => ({
      turn: async () => {
        const id = task?.id ?? '';
        write(workspace, `${id}.txt`);
        if (id === 'two') {
          placeOfTwo.resolve(workspace);
          await oneEnded.promise;
        }
        const files_modified =
          id === 'two' ? reported : work(workspace, isBeside ? await placeOfTwo.promise : '', host);
        if (id === 'one') oneEnded.resolve();
        return { kind: 'answered', answer: { status: 'completed', files_modified } };
      },
      stop: async () => {},
    }),
  };
  const session = createRealSession(world.repo, plan(isBeside), {
    changes: world.changes,
    backends: [agent],
    settings: {
      isolation: 'worktree',
      changes: { at_end: 'keep' },
      roles: { executor: 'mine' },
      planning: { max_cycles: 0 },
      knowledge: { ...defaultSettings.knowledge, gate: 'never' },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await engine.settled();
  const branch = personGit(world.repo, 'ls-tree', '-r', '--name-only', 'ralph/260215-101500');
  return { session, end, branch };
};

const write = (place: string, path: string): void => {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), 'x');
};

const intoOther: Work = (_, other) => {
  write(other, 'lib/evil.txt');
  return [];
};

test('a file that an agent wrote into the worktree of a task beside it waits for a person, and a run without a screen ends with 3', async () => {
  const { session, end, branch } = await sessionOf(intoOther);
  expect(end).toMatchObject({ exitCode: 3 });
  expect(session.all('question.asked')).toMatchObject([
    {
      kind: 'merge',
      task: 'two',
      text: 'two was not merged: lib/evil.txt was changed in its worktree, but it neither declares nor reports the change, and one worked beside it and could write there. What now?',
    },
  ]);
  expect(branch).toContain('one.txt');
  expect(branch).not.toMatch(/evil|two/u);
});

test('an undeclared file is merged where the agent reports it, itself or by its directory', async () => {
  const { end, branch } = await sessionOf(intoOther, { reported: ['./lib/'] });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(branch).toContain('lib/evil.txt');
});

test('an undeclared file is merged where a tool call of the agent changed it', async () => {
  const { end, branch } = await sessionOf((own, _, host) => {
    write(own, 'a.lock');
    write(own, 'b.lock');
    const paths = [join(own, 'a.lock')];
    host.emit({ type: 'tool.started', call: 'c1', title: 'edit', kind: 'edit', paths });
    const changes = [{ path: 'b.lock', added: 1, removed: 0 }];
    host.emit({ type: 'tool.ended', call: 'c1', ok: true, changes, duration_ms: 1 });
    return [];
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(branch).toMatch(/a\.lock[\s\S]*b\.lock/u);
});

test('an undeclared file is merged where no other agent worked', async () => {
  const { end, branch } = await sessionOf(
    (own) => {
      write(own, 'a.lock');
      return [];
    },
    { isBeside: false },
  );
  expect(end).toMatchObject({ exitCode: 0 });
  expect(branch).toContain('a.lock');
});
