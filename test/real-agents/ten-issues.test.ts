import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { programFile } from '../helpers/built-program.ts';
import { startGhProgram } from '../helpers/gh-program.ts';
import { limits } from '../helpers/limits.ts';
import type { Lane } from '../helpers/model-server/script.ts';
import { git } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { codex } from './agents/codex.ts';
import { gemini } from './agents/gemini.ts';
import { completeHome } from './agents.ts';
import { createProgramWorld, type ProgramWorld, realEntry } from './program-world.ts';
import { answer } from './story.ts';
import { allInstalled, modelServer } from './world.ts';

const execute = promisify(execFile);

const root = join(import.meta.dirname, '../..');

/** Ten issues: three in a row on one file, two of a parent, a large one that is split into 11 and 12, one to research, one that nobody wants in the end. */
const issues: readonly (readonly [title: string, ...options: string[]])[] = [
  ['Name the first author', '--estimate', 'XS'],
  ['Name the second author', '--blocked-by', '1'],
  ['Name the third author', '--blocked-by', '2'],
  ['Explain the license'],
  ['Two guides'],
  ['A guide for users', '--parent', '5'],
  ['A guide for developers', '--parent', '5'],
  ['All of the tests', '--estimate', 'L'],
  ['Find out about speed'],
  ['Rewrite it in another language'],
];

/** Many replies to one kind of prompt. */
const many = (name: string, when: readonly string[], outcome: object): Lane => ({
  name,
  when,
  steps: Array.from({ length: 40 }, () => ({ reply: [answer(outcome)] })),
});

const done = { status: 'completed', summary: ['Did it.'] };

const readmeOf = (workspace: string): string =>
  readdirSync(workspace).find((name) => /^readme/i.test(name)) ?? '';

/** The first line of the README is edited by the issues 1 to 3, one after another; each other one writes a file. */
const lanesFor = (workspace: string): readonly Lane[] => {
  const readme = readmeOf(workspace);
  const [first = ''] = readFileSync(join(workspace, readme), 'utf8').split('\n');
  const line = (count: number): string => [first, ...'abc'.slice(0, count)].join(' ');
  const implement = (id: number): Lane => ({
    name: `implement ${id}`,
    when: [`## Task implement-${id}`],
    steps: Array.from({ length: 3 }, () => [
      {
        reply:
          id <= 3
            ? codex.hand.edit('', readme, line(id - 1), line(id))
            : [codex.hand.create('', `guide-${id}.md`, `Text of ${id}`)],
      },
      { reply: [answer(done)] },
    ]).flat(),
  });
  return [
    many('review', ['# Reviewer: one attempt'], { verdict: 'Qualified', summary: ['Read the change.'] }),
    many('split', ['## Task split-'], {
      sub_tickets: [
        { title: 'Tests of the parser', body: 'One.', estimate: 'S' },
        { title: 'Tests of the printer', body: 'Two.', estimate: 'S' },
      ],
    }),
    many('research', ['## Task research-'], { document: '# What is', files: ['guide-9.md'] }),
    many('plan', ['## Task plan-'], {
      document: `# The plan\n\n## Phase 1\n\n- [ ] \`test -s ${readme}\`\n`,
      phase_count: 1,
    }),
    ...[11, 12, 1, 2, 3, 4, 6, 7, 9, 10].map(implement),
  ];
};

/** The source of a package that we depend on, as a repository of its own. */
const takePackage = ({ workspace }: ProgramWorld, name: string): void => {
  cpSync(join(root, 'node_modules', name), workspace, { recursive: true });
  writeFileSync(join(workspace, '.gitignore'), '.ralph-sessions/\n');
  git(workspace, 'config', 'user.name', 'kim');
  git(workspace, 'config', 'user.email', 'kim@host');
};

const prepared = async (name: string, flow: object, env: Readonly<Record<string, string>> = {}) => {
  const bin = tempDir();
  const world = createProgramWorld({ ...env, PATH: `${bin}:${env['PATH'] ?? process.env['PATH']}` });
  const { workspace } = world;
  const program = join(bin, 'ralph-tui');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`);
  chmodSync(program, 0o755);
  takePackage(world, name);
  const model = await modelServer(...lanesFor(workspace));
  await completeHome(codex, join(world.home, codex.name), model.url);
  const agents = {
    gemini: realEntry(gemini, world.home, model.url),
    codex: realEntry(codex, world.home, model.url),
  };
  world.configure({
    isolation: 'worktree',
    agents,
    roles: { executor: 'codex', reviewer: 'gemini' },
    loop: { verify: ['node -e "require(process.cwd())"'] },
    flow: { agents: { plan: 'gemini', research: 'gemini', split: 'gemini' }, poll: 1_000, ...flow },
    knowledge: { gate: 'never' },
  });
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '-qm', `The package ${name}`);
  /** A command as it was printed, from where a person would stand. */
  const type = async (command: string): Promise<string> =>
    (
      await execute('bash', ['-c', command], {
        maxBuffer: 100_000_000,
        cwd: workspace,
        env: {
          ...process.env,
          ...world.environment,
          ...env,
          PATH: `${bin}:${env['PATH'] ?? process.env['PATH']}`,
        },
        encoding: 'utf8',
      })
    ).stdout;
  return { workspace, type, serve: (words: string) => world.start(...words.split(' ')) };
};

const makeIssues = async (type: (command: string) => Promise<string>, more = ''): Promise<void> => {
  for (const [title, ...options] of issues)
    await type(`ralph-tui issues new '${title}' ${options.join(' ')} ${more}`);
};

const options = '--headless --permissions workspace --no-discovery --yes';

const stateSchema = z.array(z.object({ id: z.string(), state: z.string() }));

/** All that was wanted is Done and on main, and the workspace holds nothing that git does not know but the issues. */
const expectAllOnMain = async (workspace: string, listed: string): Promise<void> => {
  const states = new Map(stateSchema.parse(JSON.parse(listed)).map(({ id, state }) => [id, state]));
  expect(states.get('10')).toBe('Canceled');
  states.delete('10');
  expect(Object.fromEntries(states)).toEqual(
    Object.fromEntries([...states.keys()].map((id) => [id, 'Done'])),
  );
  expect(states.size).toBe(11);
  const files = git(workspace, 'ls-tree', '-r', '--name-only', 'main').split('\n');
  expect(files.filter((path) => path.startsWith('guide-')).toSorted()).toEqual(
    ['11', '12', '4', '6', '7', '9'].map((id) => `guide-${id}.md`),
  );
  const readme = git(workspace, 'show', `main:${readmeOf(workspace)}`);
  expect(readme.split('\n')[0]).toMatch(/ a b c$/);
  expect(git(workspace, 'status', '--porcelain', '--', '.', ':!.ralph')).toBe('');
};

describe.skipIf(!allInstalled(gemini, codex))(
  'Gemini and Codex take ten issues of a real repository to main',
  () => {
    test('one after another in native files: each printed command decides, continues and takes what is there', async () => {
      const { workspace, type } = await prepared('commander', {});
      await makeIssues(type);
      await type('ralph-tui issues move 9 research-needed');
      await type('ralph-tui issues move 10 canceled');
      for (const issue of ['1', '4', '5', '8', '9', '10']) {
        const run = `ralph-tui run --issue ${issue} ${options}`;
        let said = '';
        for (let command = run; command !== ''; ) {
          said = await type(`${command} || true`);
          const decide = / {2}decide {3}(.*)/.exec(said)?.[1];
          const goOn = / {2}continue (.*)/.exec(said)?.[1];
          command = decide === undefined ? '' : `${decide} >&2 && ${goOn}`;
        }
        for (const [, take = ''] of said.matchAll(/to take it: (.*)/g)) await type(take);
        expect(await type(run), said.slice(-2_000)).toMatch(/Nothing is left to do/);
      }
      await expectAllOnMain(workspace, await type('ralph-tui issues list --json'));
    });

    test('by the service in native files, merged by itself, until it is stopped', async () => {
      const { workspace, type, serve } = await prepared('picomatch', {
        plan_review: 'skip',
        auto_merge: true,
      });
      await makeIssues(type);
      await type('ralph-tui issues move 9 research-needed');
      await type('ralph-tui issues move 10 canceled');
      const service = serve(`work --max 2 ${options}`);
      await expect
        .poll(async () => /"state": ?"(?!Done|Canceled)/.test(await type('ralph-tui issues list --json')), {
          interval: 2_000,
          timeout: limits.test,
        })
        .toBe(false);
      service.kill('SIGTERM');
      expect((await service.done).code).toBe(0);
      await expectAllOnMain(workspace, await type('ralph-tui issues list --json'));
    });

    test('by the service on GitHub, as drafts from the plan on, merged when their checks have passed', async () => {
      const origin = tempDir();
      const { bin, pullRequests } = await startGhProgram(origin, () => 'SUCCESS', '');
      git(origin, 'init', '-q', '--bare', '-b', 'main');
      const { workspace, type, serve } = await prepared(
        'cookie',
        { plan_review: 'skip', auto_merge: true, draft: true },
        { PATH: `${bin}:${process.env['PATH']}` },
      );
      git(workspace, 'remote', 'add', 'origin', origin);
      git(workspace, 'push', '-q', '-u', 'origin', 'main');
      await makeIssues(type, '--tracker gh');
      await type('ralph-tui issues move 9 research-needed --tracker gh');
      await type('ralph-tui issues move 10 canceled --tracker gh');
      const service = serve(`work --tracker gh --max 2 ${options}`);
      await expect
        .poll(
          async () => {
            // As a person does, or a timer.
            await type('git pull -q --ff-only');
            return /"state": ?"(?!Done|Canceled)/.test(
              await type('ralph-tui issues list --json --tracker gh'),
            );
          },
          {
            interval: 2_000,
            timeout: limits.test,
          },
        )
        .toBe(false);
      service.kill('SIGTERM');
      expect((await service.done).code).toBe(0);
      await type('git pull -q --ff-only');
      await expectAllOnMain(workspace, await type('ralph-tui issues list --json --tracker gh'));
      expect(pullRequests.every(({ state, isDraft }) => state === 'MERGED' && !isDraft)).toBe(true);
    });
  },
);
