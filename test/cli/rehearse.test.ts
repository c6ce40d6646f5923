import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runProgram } from '../helpers/program.ts';
import { git, repositoryWith, writeHook } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const findings = z.array(
  z.object({
    check: z.string(),
    ok: z.boolean(),
    found: z.string(),
    problem: z.string().nullable(),
    hint: z.string().nullable(),
  }),
);

const rehearsed = async (cwd: string, ...more: readonly string[]) => {
  const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml', '--rehearse', '--json', ...more], {
    cwd,
    env: { XDG_STATE_HOME: join(tempDir(), 'state'), DEPLOY_STAGE: 'test' },
  });
  return { code, rows: new Map(findings.parse(JSON.parse(stdout)).map((row) => [row.check, row])) };
};

test('a rehearsal says what would break at which task and what to do, and leaves nothing', async () => {
  const repo = repositoryWith({
    'plan.yaml': `goal: Ship
tasks:
  - {id: there, title: One, verify: [test -f .env, test -f made-by-setup]}
  - {id: later, title: Two, run: [touch result], verify: [test -f result]}
  - {id: lacks, title: Three, verify: ['test "$DEPLOY_STAGE" = test']}
  - {id: absent, title: Four, verify: [no-such-program-here --check]}
`,
    '.ralph/config.yaml':
      'worktree: {setup: [touch made-by-setup, test -n "$RALPH_SLOT"], copy: [.env, absent.env]}\n',
    '.gitignore': '.env\n',
    '.env': 'A=1\n',
  });
  writeHook(repo, 'pre-commit', 'npm run lint');
  const before = git(repo, 'for-each-ref');
  const { code, rows } = await rehearsed(repo);
  expect(code).toBe(1);
  expect(rows.get('worktree.setup')).toMatchObject({ ok: true });
  expect(rows.get('verify there')).toMatchObject({ ok: true, found: 'passes before the work' });
  expect(rows.get('verify later')).toMatchObject({ ok: true, hint: 'right if the task makes it pass' });
  expect(rows.get('verify lacks')).toMatchObject({
    ok: false,
    problem: 'DEPLOY_STAGE would not reach it',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the words of a plan
    hint: expect.stringContaining('env: {DEPLOY_STAGE: "${DEPLOY_STAGE}"}'),
  });
  expect(rows.get('verify absent')).toMatchObject({ ok: false, problem: 'it cannot start' });
  expect(rows.get('copy')).toMatchObject({
    ok: false,
    found: expect.stringContaining('absent.env was not copied'),
  });
  expect(rows.get('hook pre-commit')?.found).toContain('npm run lint');
  expect(rows.get('push')).toMatchObject({ ok: true, found: 'there is no remote' });
  expect(existsSync(join(repo, '.ralph-sessions'))).toBe(false);
  expect([git(repo, 'for-each-ref'), git(repo, 'worktree', 'list').trim().split('\n').length]).toEqual([
    before,
    1,
  ]);
});

test('the push of a pull request is tried without changing the remote', async () => {
  const repo = repositoryWith({ 'plan.yaml': 'goal: Ship\ntasks: [{id: one, title: One, run: ["true"]}]\n' });
  const remote = join(tempDir(), 'remote.git');
  git(repo, 'init', '-q', '--bare', remote);
  git(repo, 'remote', 'add', 'origin', remote);
  expect((await rehearsed(repo, '--at-end', 'pull-request')).rows.get('push')).toMatchObject({
    ok: false,
    found: expect.stringContaining('origin has no such branch'),
  });
  git(repo, 'push', '-q', 'origin', 'HEAD');
  expect((await rehearsed(repo, '--at-end', 'pull-request')).rows.get('push')).toMatchObject({
    ok: true,
    found: 'origin would take a branch',
  });
  expect(readdirSync(join(remote, 'refs/heads'))).toHaveLength(1);
  git(repo, 'remote', 'set-url', 'origin', '/nowhere/at/all');
  expect((await rehearsed(repo, '--at-end', 'pull-request')).rows.get('push')).toMatchObject({ ok: false });
  expect((await rehearsed(repo)).rows.get('push')).toMatchObject({
    ok: true,
    hint: 'only a pull request needs it',
  });
});

test('a set-up that fails is the only command that is tried', async () => {
  const repo = repositoryWith({
    'plan.yaml': 'goal: Ship\ntasks: [{id: one, title: One, verify: ["test -f plan.yaml"]}]\n',
    '.ralph/config.yaml': 'worktree: {setup: [exit 3]}\n',
  });
  const { code, rows } = await rehearsed(repo);
  expect(code).toBe(1);
  expect(rows.get('worktree.setup')).toMatchObject({ ok: false, problem: 'no task could begin' });
  expect(rows.has('verify one')).toBe(false);
});
