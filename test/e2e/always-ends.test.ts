import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readProcess } from '../../src/base/process/process-table.io.ts';
import { ask } from '../helpers/ask.ts';
import { type ProgramOptions, type ProgramResult, runProgram, startProgram } from '../helpers/program.ts';
import { repositoryWith } from '../helpers/repository.ts';
import type { Action } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { onlySession } from '../helpers/workspace.ts';

const plan = `goal: Mend
settings: {retries: {max_attempts: 2, backoff: [0s]}, planning: {max_cycles: 0}, knowledge: {approval_timeout: 0s}}
tasks:
  - {id: one, title: One, objective: Write it, files: [b.txt]}
`;

const done: Action = { do: 'say', text: '{"status": "completed", "summary": ["Wrote it"]}' };
const write: Action = { do: 'write', path: 'b.txt', text: 'b' };
const shell = (command: string): Action => ({ do: 'shell', command });
const flood: readonly Action[] = [
  { do: 'flood-text', bytes: 10_000_000 },
  { do: 'flood-tools', calls: 1_000 },
];

/** A process of its own must end too, above all beside a daemon, which holds what the agent had open. */
const run = (isAlone: boolean, options: ProgramOptions): Promise<ProgramResult> => {
  const args = ['run', '--plan', 'plan.yaml', '--yes', '--permissions', 'all', '--json'];
  if (!isAlone) return runProgram(args, options);
  const program = startProgram(args, options);
  onTestFinished(() => program.kill('SIGKILL'));
  return program.done;
};

/** Nothing proves whose it is, so that nothing else ends it. */
const endLoose = (outside: string): void => {
  const file = join(outside, 'loose');
  if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
};

test.each<readonly [string, 'worktree' | 'shared', (outside: string) => readonly Action[], number, RegExp]>([
  [
    'leaves a daemon behind',
    'worktree',
    (outside) => [
      write,
      { do: 'fork', command: `echo $$ > ${outside}/daemon; exec sleep 300` },
      { do: 'until-file', path: `${outside}/daemon` },
      done,
    ],
    0,
    /"type":"task.qualified","task":"one","attempt":1/,
  ],
  [
    'leaves a daemon behind that nothing proves to be its own',
    'worktree',
    (outside) => [
      write,
      {
        do: 'fork',
        command: `ulimit -S -m unlimited; echo $$ > ${outside}/loose; exec sleep 300`,
        unmarked: true,
      },
      { do: 'until-file', path: `${outside}/loose` },
      done,
    ],
    0,
    /may have left pid \d+ running, which could not be confirmed/,
  ],
  [
    'deletes its worktree',
    'worktree',
    () => [shell('rm -rf "$PWD"'), done],
    1,
    /failed 2 times: its worktree was removed while it worked/,
  ],
  ['deletes .git', 'shared', () => [write, shell('rm -rf .git'), done], 0, /it changed or deleted \.git/],
  [
    'deletes .git from its worktree',
    'worktree',
    () => [write, shell('rm -rf "$(git rev-parse --git-common-dir)"'), done],
    1,
    /objects, refs and HEAD are gone/,
  ],
  [
    'floods us',
    'worktree',
    () => [write, ...flood, done],
    0,
    /"type":"task.qualified","task":"one","attempt":1/,
  ],
])(
  'a run without a screen ends, and says what happened, when an agent %s',
  async (what, isolation, actions, code, said) => {
    const workspace = repositoryWith({ 'a.txt': 'a', 'plan.yaml': plan });
    const outside = tempDir();
    onTestFinished(() => endLoose(outside));
    const agent = createScriptedAgent(tempDir(), { turns: [{ actions: actions(outside), again: true }] });
    const config = tempDir();
    mkdirSync(join(config, 'ralph-tui'));
    const agents = { mine: { type: 'acp', command: [agent.command, ...agent.args] } };
    const retries = { backoff: ['0s'] };
    const settings = { agents, isolation, retries, roles: { executor: 'mine' } };
    writeFileSync(join(config, 'ralph-tui', 'config.yaml'), JSON.stringify(settings));
    const result = await run(isLongForm || what.startsWith('leaves'), {
      cwd: workspace,
      env: { XDG_CONFIG_HOME: config, XDG_STATE_HOME: tempDir() },
    });
    expect(result.stdout).toMatch(said);
    expect(result.stdout.match(/"type":"session\.stopped"/g)).toHaveLength(1);
    expect(result).toMatchObject({ code });
    const daemon = join(outside, 'daemon');
    if (existsSync(daemon))
      expect(readProcess(Number(readFileSync(daemon, 'utf8')))?.ended ?? true).toBe(true);
  },
);

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
  expect(stdout).toMatch(/Executor-\d+ deleted \S+ and \d+ more from this session/);
  expect(stdout).toContain('deleted .ralph/config.yaml; it was restored');
  expect(stdout).toMatch(/one\s+failed: it changed or deleted \.ralph-sessions\//);
  expect(code).toBe(1);
  expect(readFileSync(join(cwd, '.ralph/config.yaml'), 'utf8')).toContain('max_attempts');
  expect(readFileSync(join(onlySession(cwd), 'journal.jsonl'), 'utf8')).toContain('"session.stopped"');
  expect(await ask(['status'], { cwd })).toMatchObject({ tasks: { failed: 1 } });
});
