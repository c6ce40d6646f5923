import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { onlySession } from '../helpers/workspace.ts';

test('an agent that runs git clean -fdx and deletes .ralph finds both again; its attempt failed, and the session ends as usual', async () => {
  const agent = join(tempDir(), 'agent.sh');
  writeFileSync(
    agent,
    '#!/bin/sh\ncat > /dev/null\ngit clean -fdxq 2> /dev/null\nrm -rf .ralph\necho \'{"status": "completed"}\'\n',
  );
  chmodSync(agent, 0o755);
  const config = `isolation: shared\nagents: {mine: {type: command, command: [${agent}]}}\nroles: {executor: mine}\nretries: {max_attempts: 1, backoff: [0s]}\n`;
  const cwd = repositoryWith({
    'plan.yaml':
      'settings: {knowledge: {approval_timeout: 0s}}\ngoal: Greet\ntasks:\n  - {id: one, title: One, verify: ["true"]}\n',
  });
  writeFileSync(join(cwd, '.git/info/exclude'), '.ralph\n');
  const user = tempDir();
  mkdirSync(join(user, 'ralph-tui'), { recursive: true });
  writeFileSync(join(user, 'ralph-tui/config.yaml'), config);
  mkdirSync(join(cwd, '.ralph'));
  writeFileSync(join(cwd, '.ralph/config.yaml'), 'retries: {max_attempts: 1}\n');
  const { code, stdout } = await runProgram(
    ['run', '--plan', 'plan.yaml', '--headless', '--permissions', 'edits', '--no-discovery'],
    { cwd, env: { XDG_CONFIG_HOME: user } },
  );
  expect(stdout).toMatch(/Executor-\d+ deleted \d+ files of this session/);
  expect(stdout).toContain('deleted .ralph/config.yaml; it is as it was before');
  expect(stdout).toMatch(/one\s+failed: it changed or deleted \.ralph-sessions\//);
  expect(code).toBe(1);
  expect(readFileSync(join(cwd, '.ralph/config.yaml'), 'utf8')).toContain('max_attempts');
  expect(readFileSync(join(onlySession(cwd), 'journal.jsonl'), 'utf8')).toContain('"session.stopped"');
  expect(await ask(['status'], { cwd })).toMatchObject({ tasks: { failed: 1 } });
});
