import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseScanFile } from '../../src/discovery/records/scan-file.ts';
import { runJson, runProgram, startProgram } from '../helpers/program.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const recordsIn = (cwd: string) =>
  parseScanFile(readFileSync(join(cwd, '.ralph/constraint-scan.jsonl'), 'utf8')).value;

const brittle = { 'app.toml': 'root = "/home/zed/"\n', Makefile: 'x:\n\tcd /home/zed/\n' };
const home = { env: { HOME: '/home/zed' } };

describe('ralph-tui scan', () => {
  test('writes the records and lists what it found', async () => {
    const cwd = repositoryWith(brittle);
    const { code, stdout, stderr } = await runProgram(['scan', '--no-probes'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('HIGH     █ 1 scanner');
    expect(stdout).toContain('HIGH app.toml:1 Hardcoded path: /home/zed/ (2 places)');
    expect(stderr).toContain('scanner: 1 finding\n');
    const { metadata, findings } = recordsIn(cwd);
    expect(findings).toHaveLength(1);
    expect(metadata).toMatchObject({ status: 'complete', worktree_type: 'main', sources: ['scanner'] });
  });

  test('exits 3 for a critical finding, and for any that --fail-on names; the file is written all the same', async () => {
    const cwd = repositoryWith(brittle);
    expect((await runProgram(['scan', '--no-probes'], { cwd, ...home })).code).toBe(3);
    expect(recordsIn(cwd).findings).toMatchObject([{ severity: 'critical', value: '/home/zed' }]);
    expect((await runProgram(['scan', '--no-probes', '--fail-on', 'high'], { cwd })).code).toBe(3);
    expect((await runProgram(['scan', '--project', 'nowhere'], { cwd })).code).toBe(1);
    expect((await runProgram(['scan', '--timeout', 'soon'], { cwd })).code).toBe(2);
  });

  test('--severity lists fewer, --json and --ndjson are for programs, --output is another place', async () => {
    const cwd = repositoryWith({ ...brittle, 'lefthook.yml': '' });
    const value = await runJson(['scan', '--no-probes', '--severity', 'high', '--output', 'out/scan.jsonl'], {
      cwd,
    });
    expect(value).toMatchObject({
      metadata: { schema: 1 },
      constraints: [{ severity: 'high' }],
      busywork: { length: 10 },
    });
    expect(existsSync(join(cwd, '.ralph'))).toBe(false);
    const { stdout } = await runProgram(['scan', '--ndjson', '--no-probes'], { cwd });
    expect(stdout).toBe(readFileSync(join(cwd, '.ralph/constraint-scan.jsonl'), 'utf8'));
    expect(stdout.split('\n')).toHaveLength(1 + 2 + 10 + 1);
  });

  test('--add takes findings of other programs, from a file or stdin', async () => {
    const cwd = repositoryWith(brittle);
    const input =
      'Sure:\n```json\n[{"severity":"HIGH","category":"hardcoded_path","description":"A path","source_file":"app.toml","value":"/home/zed/"},]\n```\n{"id":\n';
    const program = startProgram(['scan', '--no-probes', '--add', '-'], { cwd, input });
    program.endInput();
    expect((await program.done).code).toBe(0);
    const { metadata, findings } = recordsIn(cwd);
    expect(findings).toMatchObject([{ source: 'scanner', merged_with: ['scanner', 'stdin'] }]);
    expect(metadata).toMatchObject({ parse_errors: 1, aggregation: { total_before: 2, deduped: 1 } });
  });

  test('a directory that cannot be written is said, with the findings, and exits 1', async () => {
    const cwd = tempDir();
    writeFileSync(join(cwd, '.ralph'), 'a file\n');
    const { code, stdout, stderr } = await runProgram(['scan', '--no-probes'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('0 findings');
    expect(stderr).toContain(join(cwd, '.ralph/constraint-scan.jsonl'));
  });

  test('a probe that hangs is skipped at the deadline: partial, exit 0, nothing left running', async () => {
    const cwd = repositoryWith(brittle);
    git(cwd, 'remote', 'add', 'origin', 'https://github.localhost/x/y');
    const bin = tempDir();
    const pids = join(bin, 'pids');
    writeFileSync(join(bin, 'gh'), `#!/bin/sh\ntrap '' TERM\necho $$ > ${pids}\nsleep 60\nsleep 60\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { code, stderr } = await runProgram(['scan', '--timeout', '2s', '--yes'], { cwd, env });
    expect(code).toBe(0);
    expect(stderr).toContain('integration-points: timed out, skipped (scanner and 2 probes are in)');
    expect(recordsIn(cwd).metadata?.status).toBe('partial');
    expect(existsSync(`/proc/${readFileSync(pids, 'utf8').trim()}`)).toBe(false);
  });

  test('leaves the repository as clean as it was', async () => {
    const cwd = repositoryWith(brittle);
    expect((await runProgram(['scan', '--no-probes'], { cwd })).code).toBe(0);
    expect(git(cwd, 'status', '--porcelain')).toBe('');
  });

  test('uses no login and no network before somebody agreed to that, and says so', async () => {
    const cwd = repositoryWith(brittle);
    git(cwd, 'remote', 'add', 'origin', 'https://github.localhost/x/y');
    const bin = tempDir();
    writeFileSync(join(bin, 'gh'), `#!/bin/sh\ntouch ${join(bin, 'asked')}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}`, XDG_STATE_HOME: join(bin, 'state') };
    const scan = async (...args: readonly string[]) =>
      (await runProgram(['scan', ...args], { cwd, env })).stderr;
    expect(await scan()).toContain('logins and the network were not checked');
    expect(existsSync(join(bin, 'asked'))).toBe(false);
    expect(await scan('--yes')).not.toContain('not checked');
    expect(existsSync(join(bin, 'asked'))).toBe(true);
    expect(await scan()).not.toContain('not checked');
  });

  test('the configuration of a repository does not count before it is trusted', async () => {
    const cwd = repositoryWith({ ...brittle, '.ralph/config.yaml': "discovery: {exclude: ['*']}\n" });
    const { stdout, stderr } = await runProgram(['scan', '--no-probes'], { cwd });
    expect(stderr).toContain('.ralph/config.yaml is not trusted yet');
    expect(stdout).toContain('/home/zed/');
  });
});
