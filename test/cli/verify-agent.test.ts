import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { verifyAgent } from '../../src/cli/setup/verify-agent.ts';
import { git, repositoryWith, writeHook } from '../helpers/repository.ts';
import { misbehaviours } from '../helpers/scripted-agent/misbehaviours.ts';
import type { AgentScript } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { isLongForm } from '../helpers/test-form.ts';

type Script = Omit<AgentScript, 'log'>;

/** Verifies the agent `mine` of a person's own configuration; `found` gives each finding in one line. */
const verify = async (
  entry: object,
  more: {
    readonly timeoutMs?: number;
    readonly yes?: boolean;
    readonly cwd?: string;
    readonly state?: string;
  } = {},
) => {
  const config = tempDir();
  mkdirSync(join(config, 'ralph-tui'));
  writeFileSync(join(config, 'ralph-tui/config.yaml'), JSON.stringify({ agents: { mine: entry } }));
  const notes: string[] = [];
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: config,
    XDG_STATE_HOME: more.state ?? tempDir(),
    SOME_API_KEY: 'k',
  };
  const cli = createTestCli({ cwd: more.cwd ?? tempDir(), env, note: (text) => notes.push(text) });
  const findings = await verifyAgent(cli, {
    agent: 'mine',
    timeoutMs: more.timeoutMs ?? null,
    consent: { yes: more.yes ?? true, mayAsk: false },
  });
  return {
    notes,
    found: findings.map(({ check, ok, found, problem, hint }) =>
      [ok ? 'ok' : 'wrong', check, found, ...(problem === null ? [] : [problem, hint])].join(' | '),
    ),
  };
};

const verifyScript = (script: Script, timeoutMs?: number) => {
  const { command, args } = createScriptedAgent(tempDir(), script);
  return verify(
    { type: 'acp', label: 'Mine', command: [command, ...args], login: 'mine login' },
    { ...(timeoutMs ? { timeoutMs } : {}) },
  );
};

const inSeconds = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replaceAll(/\d+\.\d s/g, 'N s'));

const httpTools = { agentCapabilities: { mcpCapabilities: { http: true } } };
const callsTool = { do: 'mcp', tool: 'check_signals' } as const;
const answers = { do: 'say', text: '{"sum": 42, "product": 63}' } as const;

test('a working agent is tried with one call, and every ability is told', async () => {
  const { command, args, log } = createScriptedAgent(tempDir(), {
    initialize: httpTools,
    turns: [{ actions: [callsTool, answers], again: true }],
  });
  const { notes, found } = await verify({ type: 'acp', label: 'Mine', command: [command, ...args] });
  expect(notes).toEqual(['This starts Mine once, which costs one short call to its model.']);
  expect(inSeconds(found)).toEqual([
    'ok | mine: tried | in an empty directory',
    'ok | mine: start | ready after N s, version 1.0.0',
    'ok | mine: login | its model answered, so the login works',
    'ok | mine: answer | right after N s',
    'ok | mine: tools | it called one of ours',
    'ok | mine: messages | a message reached it with the result of a ralph-tui tool while it worked, and it obeyed',
    'ok | mine: usage | tokens not reported; cost not reported, so limits.max_cost cannot limit it',
  ]);
  expect(log().filter(({ what }) => what === 'turn')).toHaveLength(1);
  // Its own directory is gone; another test may have one of its own beside it.
  const places = z.array(z.object({ params: z.object({ cwd: z.string() }) }));
  const [place] = places.parse(log().filter(({ method }) => method === 'session/new'));
  expect(place?.params.cwd).toContain('ralph-tui-verify-');
  expect(existsSync(dirname(place?.params.cwd ?? '/'))).toBe(false);
});

test('a message goes through the steering extension where the agent has one', async () => {
  const { found } = await verifyScript({
    initialize: { ...httpTools, _meta: { steering: { supported: true } } },
    steering: 'injected',
    turns: [{ actions: [callsTool, answers] }],
  });
  expect(found).toContain(
    'ok | mine: messages | a message reached it through its steering extension while it worked, and it obeyed',
  );
});

test.skipIf(!isLongForm)(
  'prose costs no second call, and an agent that ignores a message and our tools is said to',
  async () => {
    const { command, args, log } = createScriptedAgent(tempDir(), {
      initialize: httpTools,
      turns: [{ actions: [{ do: 'say', text: 'It is 42.' }], again: true }],
    });
    const { found } = await verify({ type: 'acp', command: [command, ...args] });
    expect(found.filter((line) => line.startsWith('wrong'))).toEqual([
      'wrong | mine: tools | not connected | in an empty directory, it never asked for the list of ralph-tui tools | its own settings or folder trust may block MCP servers: allow the server "ralph" there; the agent works without the server, but has no ask_person and gets messages only after its reply',
      'wrong | mine: messages | not tried | it called no ralph-tui tool, so there was no chance to deliver a message | messages still arrive with its next prompt',
    ]);
    expect(log().filter(({ what }) => what === 'turn')).toHaveLength(1);
  },
);

/** Each starts a process of its own. */
test.skipIf(!isLongForm).each([
  [
    'requires a login',
    'login | not logged in | Mine is not logged in | run `mine login` in a terminal, then try again; it did not get SOME_API_KEY: agents.mine.pass_env must list what it needs',
  ],
  [
    'crashes at start',
    'start | no session | Mine exited with code 3, after "Error: Cannot find module "left-pad"" | try a prompt in its own program (login: `mine login`): what fails there also fails here',
  ],
  [
    'fails in a turn',
    'answer | none | Mine answered session/prompt with an error: Internal error: model overloaded (-32603) | try a prompt in its own program (login: `mine login`): what fails there also fails here',
  ],
  [
    'ends a turn without a word',
    'answer | nothing | it ended its turn without any text | try a prompt in its own program (login: `mine login`): what fails there also fails here',
  ],
  [
    'refuses to work',
    'answer | a refusal | the model refused to answer a harmless question | choose another model for this agent',
  ],
] as const)('an agent that %s is told with what to do', async (misbehaviour, sentence) => {
  const { found } = await verifyScript(misbehaviours[misbehaviour]);
  expect(found.filter((line) => line.startsWith('wrong'))).toEqual([`wrong | mine: ${sentence}`]);
});

test.skipIf(!isLongForm)('a used-up quota is no failure of the set-up', async () => {
  const { found } = await verifyScript({
    turns: [{ actions: [{ do: 'fail', code: 429, message: 'Quota exceeded' }] }],
  });
  expect(found.at(-1)).toBe(
    'wrong | mine: quota | used up | Mine answered session/prompt with an error: Quota exceeded (429) | wait until the quota resets, or name another agent under roles',
  );
});

/** On a loaded machine an agent takes seconds to start, and that is another sentence. */
const silentMs = 10_000;

test.skipIf(!isLongForm)('a silent agent is stopped when its time is up', async () => {
  const { found } = await verifyScript(misbehaviours['is silent for ever'], silentMs);
  expect(found.at(-1)).toMatch(
    /^wrong \| mine: answer \| none in time \| its reply did not end within 10\.0 s \| some agents silently retry after a failed login/,
  );
});

test('a command agent is tried, too', async () => {
  const { found } = await verify({
    type: 'command',
    command: ['sh', '-c', 'cat > /dev/null; echo \'{"sum": 42}\''],
  });
  expect(inSeconds(found)).toEqual([
    'ok | mine: tried | in an empty directory',
    'ok | mine: login | its model answered, so the login works',
    'ok | mine: answer | right after N s',
    'ok | mine: tools | a command agent gets none; it reports with its answer',
    'ok | mine: messages | they wait for the end of its reply and arrive with the next prompt',
    'ok | mine: usage | tokens not reported; cost not reported, so limits.max_cost cannot limit it',
  ]);
});

test.skipIf(!isLongForm)(
  'an agent that misses a variable says so as its reply, and is told how it gets it',
  async () => {
    const { found } = await verifyScript({
      turns: [{ actions: [{ do: 'say', text: 'Missing environment variable: `SOME_API_KEY`.' }] }],
    });
    expect(inSeconds(found)).toEqual([
      'ok | mine: tried | in an empty directory',
      'ok | mine: start | ready after N s, version 1.0.0',
      'wrong | mine: answer | none | it needs SOME_API_KEY, which agents get only if you pass it on | add it to agents.mine.pass_env',
    ]);
  },
);

/** A repository with staged, changed and new files, and with a hook and a filter that leave a file when they run. */
const busyRepository = (): { readonly path: string; readonly ran: string } => {
  const path = repositoryWith({
    'AGENTS.md': 'as committed\n',
    'b.txt': 'b\n',
    '.gitattributes': '*.txt filter=spy\n',
  });
  const ran = join(tempDir(), 'ran');
  writeHook(path, 'post-checkout', `touch ${ran}`);
  writeFileSync(join(path, 'staged.md'), 'staged\n');
  git(path, 'add', 'staged.md');
  git(path, 'config', 'filter.spy.smudge', `touch ${ran}; cat`);
  writeFileSync(join(path, 'AGENTS.md'), 'as edited\n');
  writeFileSync(join(path, 'new.md'), 'new\n');
  return { path, ran };
};

/** All that a trial must leave as it is. */
const stateOf = (path: string) => ({
  worktrees: git(path, 'worktree', 'list'),
  registered: existsSync(join(path, '.git/worktrees')),
  refs: git(path, 'for-each-ref'),
  head: readFileSync(join(path, '.git/HEAD'), 'utf8'),
  index: readFileSync(join(path, '.git/index')).toString('hex'),
  files: readdirSync(path).sort(),
  status: git(path, '--no-optional-locks', 'status', '--porcelain'),
});

/** The files of a removed worktree may be there a little longer, in a directory of their own. */
const leftIn = (state: string): readonly string[] => {
  const worktrees = join(state, 'ralph-tui/worktrees');
  return readdirSync(worktrees)
    .filter((name) => !name.endsWith('.gone'))
    .flatMap((name) => readdirSync(join(worktrees, name)))
    .filter((name) => name.includes('verify'));
};

test('in a repository an agent is tried in a worktree of it, which leaves no trace', async () => {
  const { path, ran } = busyRepository();
  const state = tempDir();
  const before = stateOf(path);
  const seen = join(tempDir(), 'seen');
  const look = `{ pwd; cat AGENTS.md; git rev-parse --abbrev-ref HEAD; } > ${seen}`;
  const { command, args } = createScriptedAgent(tempDir(), {
    initialize: httpTools,
    turns: [{ actions: [{ do: 'shell', command: look }, callsTool, answers] }],
  });
  const { found } = await verify({ type: 'acp', command: [command, ...args] }, { cwd: path, state });
  expect(found[0]).toBe('ok | mine: tried | in a worktree of this repository');
  expect(found).toContain('ok | mine: tools | it called one of ours');
  const [directory = '', ...rest] = readFileSync(seen, 'utf8').trim().split('\n');
  expect(directory.startsWith(join(state, 'ralph-tui/worktrees/'))).toBe(true);
  expect(rest).toEqual(['as committed', 'HEAD']);
  expect(stateOf(path)).toEqual(before);
  expect(existsSync(ran)).toBe(false);
  expect(leftIn(state)).toEqual([]);
});

test('an agent that never lists our tools fails in the worktree, with the folder to trust', async () => {
  const { path } = busyRepository();
  const state = tempDir();
  const { command, args } = createScriptedAgent(tempDir(), {
    initialize: httpTools,
    turns: [{ actions: [answers] }],
  });
  const { found } = await verify({ type: 'acp', command: [command, ...args] }, { cwd: path, state });
  expect(found).toContain(
    `wrong | mine: tools | not connected | in a worktree of this repository, it never asked for the list of ralph-tui tools | its own settings or folder trust may block MCP servers: allow the server "ralph" there, and trust the folder that holds all worktrees, ${state}/ralph-tui/worktrees; the agent works without the server, but has no ask_person and gets messages only after its reply`,
  );
});

test.each([
  ['crashes', { do: 'exit', code: 3 }],
  ['is tried until ctrl-c', { do: 'shell', command: `kill -INT ${process.pid}; exec sleep 60` }],
] as const)('the worktree of an agent that %s is removed', async (_, action) => {
  const { path } = busyRepository();
  const state = tempDir();
  const before = stateOf(path);
  const { command, args } = createScriptedAgent(tempDir(), {
    initialize: httpTools,
    turns: [{ actions: [action] }],
  });
  const tried = verify({ type: 'acp', command: [command, ...args] }, { cwd: path, state });
  if (action.do === 'exit') expect((await tried).found.at(-1)).toMatch(/^wrong \| mine: answer/);
  else await expect(tried).rejects.toMatchObject({ fault: { code: 'left' } });
  expect(stateOf(path)).toEqual(before);
  expect(leftIn(state)).toEqual([]);
});

test('files that the agent loads from the worktree are agreed to first', async () => {
  const path = repositoryWith({ 'AGENTS.md': 'Do it.\n' });
  await expect(
    verify({ type: 'acp', command: ['sh', '-c', 'exit 1'] }, { cwd: path, yes: false }),
  ).rejects.toMatchObject({ code: 3, fault: { what: expect.stringContaining('AGENTS.md') } });
});

test('a repository without a commit has no worktree, so the directory is empty', async () => {
  const path = tempDir();
  git(path, 'init', '-q');
  const { found } = await verify(
    { type: 'command', command: ['sh', '-c', 'cat > /dev/null; ls -a | wc -l'] },
    { cwd: path },
  );
  expect(found[0]).toBe('ok | mine: tried | in an empty directory');
  expect(found.join('\n')).toContain('"2"');
});

test('an agent that is not installed is named without a call', async () => {
  const { notes, found } = await verify({ type: 'acp', command: ['nowhere-agent'] });
  expect(notes).toEqual([]);
  expect(found).toEqual([
    'wrong | mine: start | not installed | nowhere-agent was not found | put it on the PATH, or change agents.mine.command in the configuration',
  ]);
});

test('nothing is called where nobody can agree to the cost', async () => {
  await expect(
    verify({ type: 'command', command: ['sh', '-c', 'exit 1'] }, { yes: false }),
  ).rejects.toMatchObject({
    code: 3,
    fault: { code: 'needs-yes', hint: 'add --yes, or run this in a terminal to confirm' },
  });
});
