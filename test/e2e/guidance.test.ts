import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runJson, runProgram } from '../helpers/program.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const say = (cwd: string, ...args: readonly string[]) => runProgram(['guidance', ...args], { cwd });
const fileIn = (cwd: string): string => readFileSync(join(cwd, '.ralph/guidance.yaml'), 'utf8');

describe('ralph-tui guidance', () => {
  test('forbids, prefers, removes and clears, and shows what holds', async () => {
    const cwd = tempDir();
    for (const args of [
      ['forbid', 'Refactor', 'the', 'database'],
      ['forbid', 'path:src/gen/**'],
      ['encourage', 'Speed'],
    ])
      expect((await say(cwd, ...args)).code).toBe(0);
    expect((await say(cwd, 'show')).stdout).toBe(
      'Avoid:\n  Refactor the database\n  path:src/gen/**\nPrefer:\n  Speed\nAcknowledged: no findings\n',
    );
    expect((await say(cwd, 'encourage', 'refactor the database')).code).toBe(2);
    expect((await say(cwd, 'remove', 'nothing')).code).toBe(2);
    expect((await say(cwd, 'remove', 'Speed')).code).toBe(0);
    expect(await runJson(['guidance', 'show'], { cwd })).toMatchObject({
      forbidden: ['Refactor the database', { path: 'src/gen/**' }],
      encouraged: [],
      trusted: true,
    });
    expect((await say(cwd, 'clear')).code).toBe(0);
    expect(await runJson(['guidance', 'show'], { cwd })).toMatchObject({ forbidden: [] });
  });

  test('keeps the comments and keys of a person, who edits and so accepts the file', async () => {
    const cwd = repositoryWith({ '.ralph/guidance.yaml': '# from a clone\nforbidden: [Secrets]\nmine: 1\n' });
    expect(await runJson(['guidance', 'show'], { cwd })).toMatchObject({
      forbidden: ['Secrets'],
      trusted: false,
    });
    const refused = await say(cwd, 'forbid', 'Docs');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has not been accepted')]);
    const env = { EDITOR: 'sed -i s/Secrets/Tokens/' };
    expect((await runProgram(['guidance', 'edit'], { cwd, env })).code).toBe(0);
    expect((await say(cwd, 'forbid', 'Docs')).code).toBe(0);
    expect(fileIn(cwd)).toMatch(/^# from a clone\nforbidden: \[ Tokens, Docs \]\nmine: 1\n/);
  });

  test('an edit that is no guidance is refused, and the old file stays', async () => {
    const cwd = tempDir();
    await say(cwd, 'forbid', 'Docs');
    const before = fileIn(cwd);
    const result = await runProgram(['guidance', 'edit'], {
      cwd,
      env: { EDITOR: 'sed -i s/Docs/[/' },
    });
    expect([result.code, fileIn(cwd)]).toEqual([2, before]);
  });

  test('acknowledged findings are folded, count no more, and come back with --undo', async () => {
    const cwd = repositoryWith({ 'app.toml': 'root = "/home/zed/"\n' });
    const scan = () => runProgram(['scan', '--no-probes', '--fail-on', 'high'], { cwd });
    const first = await scan();
    const id = /hardcoded_path-[0-9a-f]{8}/.exec(first.stdout)?.[0] ?? '';
    expect(first.code).toBe(3);
    expect((await say(cwd, 'acknowledge', 'no-such-id')).code).toBe(2);
    expect((await say(cwd, 'acknowledge', id)).code).toBe(0);
    const second = await scan();
    expect([second.code, second.stdout.includes('1 acknowledged')]).toEqual([0, true]);
    const raised = await runProgram(['scan', '--no-probes'], { cwd, env: { HOME: '/home/zed' } });
    expect(raised.code).toBe(3);
    expect((await say(cwd, 'acknowledge', '--undo', id)).code).toBe(0);
    expect((await scan()).code).toBe(3);
  });

  test('acknowledgements that a clone brings along do not count', async () => {
    const cwd = repositoryWith({ 'app.toml': 'root = "/home/zed/"\n' });
    const { stdout } = await runProgram(['scan', '--no-probes'], { cwd });
    const id = /hardcoded_path-[0-9a-f]{8}/.exec(stdout)?.[0] ?? '';
    mkdirSync(join(cwd, '.ralph'), { recursive: true });
    writeFileSync(
      join(cwd, '.ralph/acknowledged.jsonl'),
      `${JSON.stringify({ id, severity: 'critical', at: 'x' })}\n`,
    );
    const { code, stderr } = await runProgram(['scan', '--no-probes', '--fail-on', 'high'], { cwd });
    expect([code, stderr.includes('acknowledged.jsonl came with the repository')]).toEqual([3, true]);
  });
});

describe('guidance at work', () => {
  const plan = `goal: Generate
settings: {retries: {max_attempts: 1}}
tasks:
  - {id: gen, title: Generate, files: [gen/a.txt], run: [mkdir -p gen, echo x > gen/a.txt]}
  - {id: other, title: Other, files: [b.txt], run: [echo y > b.txt]}
`;

  test('a task that changes a forbidden file fails with the reason; harmless ones pass', async () => {
    const cwd = tempDir();
    writeFileSync(join(cwd, 'plan.yaml'), plan);
    await say(cwd, 'forbid', 'path:gen/**');
    const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("gen/a.txt must not be changed: the person's guidance forbids path:gen/**");
    expect(await runJson(['status'], { cwd })).toMatchObject({ tasks: { completed: 1, failed: 1 } });
  });

  test('guidance that came with a clone does not count without a person, and that is said', async () => {
    const cwd = repositoryWith({
      'plan.yaml': plan,
      '.ralph/guidance.yaml': 'forbidden: [{path: gen/**}]\n',
    });
    const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(
      'problem: .ralph/guidance.yaml has changed and is not yet accepted, so it has no effect',
    );
  });
});
