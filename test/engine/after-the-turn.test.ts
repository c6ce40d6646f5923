import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { markerOf } from '../../src/agents/marker.ts';
import type { Backend, BackendHost, Brief } from '../../src/agents/port.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { readGitRefs } from '../../src/engine/guards/git-refs.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const done = { kind: 'answered', answer: { status: 'completed' } } as const;

type Work = (brief: Brief, workspace: string, host: BackendHost) => void | Promise<void>;

const agentOf = (workspace: string, work: Work): Backend => ({
  name: 'mine',
  label: 'an agent',
  model: { tools: false },
  start: (brief, host) => ({
    turn: async () => {
      await work(brief, workspace, host);
      return done;
    },
    stop: async () => {},
  }),
});

/** A session with commits in a real repository, whose agent does `work` in its one task; `verify` runs after it. */
const sessionWith = async (work: Work, verify = 'true') => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  const plan = `goal: Mend\ntasks:\n  - {id: one, title: One, files: [b.txt], verify: ['${verify}']}\n`;
  const session = createRealSession(workspace, plan, {
    attended: true,
    backends: [agentOf(workspace, work)],
    settings: {
      commit: true,
      roles: { executor: 'mine' },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
  });
  const engine = session.begin();
  engine.shown();
  engine.subscribe((event) => {
    if (event.type === 'permission.asked')
      engine.permit({ request: event.request, decision: 'once', by: 'kim' });
  });
  expect(await engine.start()).toBeNull();
  await engine.settled();
  const problems = session.all('problem.found').map(({ fault }) => fault.what);
  const findings = session.all('finding.noted').map(({ text }) => text);
  return { workspace, session, problems, findings };
};

/** Starts a daemon of an agent: in a session of its own, with only this environment. */
const daemon = (line: string, env: Readonly<Record<string, string>>): number => {
  const child = spawn('/bin/sh', ['-c', line], { detached: true, stdio: 'ignore', env });
  child.unref();
  const { pid = 0 } = child;
  onTestFinished(() => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone, as it should be.
    }
  });
  return pid;
};

test('a hook and a configuration that a daemon plants after the turn run in no commit of ours', async () => {
  const { workspace, problems, session } = await sessionWith((_brief, inside) => {
    writeFileSync(join(inside, 'b.txt'), 'b');
    const plant = [
      `while [ ! -e ${inside}/go ]; do sleep 0.02; done`,
      `printf '#!/bin/sh\\ntouch ${inside}/owned-by-hook\\n' > ${inside}/.git/hooks/pre-commit`,
      `chmod 755 ${inside}/.git/hooks/pre-commit`,
      `printf '[core]\\n\\tfsmonitor = touch ${inside}/owned-by-monitor\\n' >> ${inside}/.git/config`,
      `touch ${inside}/planted`,
    ];
    daemon(plant.join('; '), { PATH: process.env['PATH'] ?? '' });
  }, 'touch go; while [ ! -e planted ]; do sleep 0.02; done; rm go planted');
  expect(session.all('task.qualified')).toMatchObject([{ task: 'one', commit: expect.any(String) }]);
  expect([
    existsSync(join(workspace, 'owned-by-hook')),
    existsSync(join(workspace, 'owned-by-monitor')),
  ]).toEqual([false, false]);
  expect(existsSync(join(workspace, '.git/hooks/pre-commit'))).toBe(false);
  expect(readFileSync(join(workspace, '.git/config'), 'utf8')).not.toContain('fsmonitor');
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Executor-\d+ changed \.git\/config; it was restored/),
      expect.stringMatching(/^Executor-\d+ added \.git\/hooks\/pre-commit; it was removed/),
    ]),
  );
});

test('a process that an agent leaves running is stopped when its work ends, and the attempt says so', async () => {
  let pid = 0;
  const { findings } = await sessionWith((brief, inside) => {
    writeFileSync(join(inside, 'b.txt'), 'b');
    const { sessionDirectory, invocation } = brief;
    pid = daemon('sleep 600', {
      PATH: process.env['PATH'] ?? '',
      RALPH_RUN: markerOf({ sessionDirectory, invocation }),
    });
  });
  expect(findings).toEqual([
    expect.stringMatching(new RegExp(`^left pids? .*${pid}.* running when it ended; now stopped$`)),
  ]);
});

test('commits, a moved HEAD, a rewritten branch and a push of an agent are told in the attempt and at the end', async () => {
  const remote = tempDir();
  const { problems, findings } = await sessionWith((_brief, inside) => {
    git(remote, 'init', '-q', '--bare');
    writeFileSync(join(inside, 'b.txt'), 'b');
    git(inside, 'add', 'b.txt');
    git(inside, 'commit', '-qm', 'mine');
    git(inside, 'push', '-q', remote, 'HEAD:refs/heads/main');
    git(inside, 'remote', 'add', 'there', remote);
    git(inside, 'push', '-q', 'there', 'HEAD:refs/heads/topic');
    git(inside, 'checkout', '-qb', 'topic');
    git(inside, 'commit', '-q', '--amend', '-m', 'other');
    git(inside, 'branch', '-qf', 'main', 'topic');
  });
  const moves =
    /moved HEAD from main to topic, rewrote main \([0-9a-f]{7} is now [0-9a-f]{7}\), made the branch topic and pushed to there\/topic/;
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`^while Executor-\\d+ was working, someone ${moves.source}$`)),
    ]),
  );
  expect(findings).toEqual([expect.stringMatching(new RegExp(`^git: ${moves.source}$`))]);
});

test.each([
  ['shallow', (commit: string) => `${commit}\n`],
  ['info/grafts', (commit: string) => `${commit} \n`],
])('history that an agent hides by .git/%s is told', async (name, textOf) => {
  let cut = '';
  const { problems } = await sessionWith((_brief, inside) => {
    cut = git(inside, 'rev-parse', 'HEAD').trim();
    writeFileSync(join(inside, '.git', name), textOf(cut));
    writeFileSync(join(inside, 'b.txt'), 'b');
  });
  expect(problems.filter((what) => what.includes('was working'))).toEqual([
    expect.stringMatching(
      new RegExp(`^while Executor-\\d+ was working, someone hid the history before ${cut.slice(0, 7)} `),
    ),
  ]);
});

test('what a person allowed is recorded, and no news to them; what else the command did is', async () => {
  const { problems, findings } = await sessionWith(async (_brief, inside, host) => {
    const ask = {
      call: 'c1',
      kind: 'command',
      title: 'git tag v1',
      command: 'git tag v1',
      directory: inside,
      paths: [],
      diffs: [],
      inside: true,
      ours: false,
      root: inside,
      notes: [],
      memory: { identity: 'git tag v1' },
    } as const;
    expect(await host.permission?.(ask, new AbortController().signal)).toBe('allow');
    for (const tag of ['v1', 'v1.1']) git(inside, 'tag', tag);
    writeFileSync(join(inside, 'b.txt'), 'b');
  });
  expect(findings).toEqual(['git: made the tag v1 and made the tag v1.1']);
  expect(problems).toEqual([
    expect.stringMatching(/^while Executor-\d+ was working, someone made the tag v1\.1$/),
  ]);
});

test('a commit of ours for one task is no news of the agent that works on another meanwhile', async () => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  const plan = `goal: Mend\ntasks:\n${['one', 'two'].map((id) => `  - {id: ${id}, title: ${id}, files: [${id}.txt], verify: ['true']}\n`).join('')}`;
  const committed = Promise.withResolvers<void>();
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: ({ task }) => ({
      turn: async () => {
        const file = `${task?.id}.txt`;
        writeFileSync(join(workspace, file), 'new');
        if (task?.id === 'two') await committed.promise;
        return { kind: 'answered', answer: { ...done.answer, files_modified: [file] } };
      },
      stop: async () => {},
    }),
  };
  const session = createRealSession(workspace, plan, {
    backends: [agent],
    settings: { commit: true, roles: { executor: 'mine' }, planning: { max_cycles: 0 } },
  });
  const engine = session.begin();
  engine.subscribe((event) => {
    if (event.type === 'task.qualified' && event.task === 'one') committed.resolve();
  });
  expect(await engine.start()).toBeNull();
  await engine.settled();
  expect(git(workspace, 'log', '--format=%s')).toBe('two\none\nfirst\n');
  expect(session.all('finding.noted')).toEqual([]);
  expect(session.all('problem.found')).toEqual([]);
});

test('commits of an agent alone are told as commits, and ours are no news', async () => {
  const { findings } = await sessionWith((_brief, inside) => {
    writeFileSync(join(inside, 'c.txt'), 'c');
    git(inside, 'add', 'c.txt');
    git(inside, 'commit', '-qm', 'mine');
    writeFileSync(join(inside, 'b.txt'), 'b');
  });
  expect(findings).toEqual([expect.stringMatching(/^git: committed to main \([0-9a-f]{7}\)$/)]);
});

test('branches that we make and delete for attempts are no news', () => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  for (const name of ['ralph/260215-101500', 'ralph-attempt/260215-101500/one/1', 'ralph-attempts'])
    git(workspace, 'branch', name);
  const { refs } = readGitRefs(createDisk(), join(workspace, '.git'));
  expect([...refs.keys()]).toEqual(['refs/heads/main', 'refs/heads/ralph-attempts']);
});

test('a repository that an agent deletes is told as gone, and nothing is put in its place', async () => {
  const { workspace, problems, session } = await sessionWith((_brief, inside) => {
    writeFileSync(join(inside, 'b.txt'), 'b');
    rmSync(join(inside, '.git'), { recursive: true, force: true });
  });
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Executor-\d+ deleted \.git: objects, refs and HEAD are gone$/),
    ]),
  );
  expect(existsSync(join(workspace, '.git'))).toBe(false);
  expect(session.all('task.failed')[0]?.reason).toBe('it changed or deleted .git');
  expect(session.all('session.stopped')).toHaveLength(1);
});

test.each([
  ['CANCEL', 'one cancelled'],
  ['RETRY', 'one is open again'],
] as const)(
  '%s names what could not be verified, instead of saying that it was stopped',
  async (type, did) => {
    const session = createSimulatedSession({
      plan: 'goal: g\ntasks:\n  - {id: one, title: One, run: [work one]}\n  - {id: two, title: Two, run: [work two]}\n',
      attended: true,
      program: ({ command }) =>
        String(command) === 'work one' ? { runsMs: 60_000, unverifiable: 1 } : { runsMs: 30_000 },
    });
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    while (!session.find('process.started')) await session.clock.advanceAsync(100);
    const id = session.publish({ type, task: 'one', message: 'stop' });
    await session.clock.advanceAsync(20_000);
    expect(session.find('signal.handled', (event) => event.id === id)?.action_taken).toMatch(
      new RegExp(`^${did}; its running attempt was asked to stop; could not verify that pid \\d+ ended$`),
    );
  },
);
