import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith } from '../helpers/workspace.ts';

test('what an agent would load is asked about before the first start, once for the same bytes', async () => {
  const workspace = workspaceWith({
    'plan.yaml':
      'settings: {knowledge: {approval_timeout: 0s}}\ngoal: Greet\ntasks:\n  - {id: one, title: One, files: [a.txt], verify: [test -e a.txt]}\n',
    'AGENTS.md': 'Always greet.\n',
    '.ralph/prompts/implement.md': '# Greet in French\n\n{{task}}\n',
  });
  const program = join(tempDir(), 'agent.sh');
  writeFileSync(
    program,
    `#!/bin/sh\ncat > ${workspace}/prompt.txt\ntouch a.txt\necho '{"status": "completed"}'\n`,
  );
  chmodSync(program, 0o755);
  writeFileSync(
    join(workspace, '.ralph/config.yaml'),
    `agents: {mine: {type: command, command: [${program}]}}\nroles: {executor: mine}\n`,
  );
  const env = { XDG_STATE_HOME: tempDir() };
  const run = (...more: string[]) =>
    runProgram(['run', '--plan', 'plan.yaml', '--headless', '--permissions', 'edits', ...more], {
      cwd: workspace,
      env,
      asked: true,
    });
  const refused = await run();
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr).toContain('AGENTS.md would be loaded by mine');
  expect(refused.stderr).toContain('.ralph/prompts/implement.md would instruct agents');
  const apart = await run('--background');
  expect(apart).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('AGENTS.md would be loaded by mine'),
  });
  expect(await run('--yes')).toMatchObject({ code: 0 });
  expect(readFileSync(join(workspace, 'prompt.txt'), 'utf8')).toMatch(
    /^Message from ralph-tui\.\n\n# Greet in French\n\n## Task one: One/,
  );
  expect(await run()).toMatchObject({ code: 0 });
  writeFileSync(join(workspace, 'AGENTS.md'), 'Never greet.\n');
  const changed = await run();
  expect(changed).toMatchObject({ code: 3 });
  expect(changed.stderr).toContain('AGENTS.md changed since it was trusted');
});
