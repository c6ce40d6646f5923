import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { paneKey, tabTitle } from '../helpers/pane-key.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { onlySession, release, waitFor, workspaceWith, writeIn } from '../helpers/workspace.ts';

/** One of each kind; put together here so that no file of ours holds one. */
const secrets = {
  environment: ['v3ry', 'pr1vate', 'value'].join('-'),
  openai: `sk-${'Ab3'.repeat(8)}`,
  github: `ghp_${'Cd4'.repeat(10)}`,
  agent: ['ag3nt', 'pr1vate', 'value'].join('-'),
  ours: `ralph_mcp_${'ab3'.repeat(16)}`,
  amazon: `AKIA${'EF5G'.repeat(4)}`,
  bearer: `eyJ${'Hj6'.repeat(8)}`,
  key: 'MIIEpAIBAAKCAQEAq7Jk8mN2pR',
} as const;
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${secrets.key}\nZZ${secrets.key}\n-----END RSA PRIVATE KEY-----`;

const fixture = { 'fixture.json': JSON.stringify(secrets) };
const env = { DEPLOY_TOKEN: secrets.environment };

/** The start of each is enough to know that something of it got through. */
const leaks = (text: string): readonly string[] =>
  Object.entries(secrets)
    .filter(([, secret]) => text.includes(secret) || text.includes(secret.slice(-12)))
    .map(([kind]) => kind);

/** Prints each kind plainly, coloured in its middle, and in two pieces with a wait between them. */
const printing = `
const secrets = JSON.parse(require('node:fs').readFileSync('fixture.json', 'utf8'));
const say = (text) => process.stdout.write(text);
for (const [kind, secret] of Object.entries(secrets)) {
  const lead = kind === 'bearer' ? 'Authorization: Bearer ' : '';
  if (kind === 'key') continue;
  say(kind + ': ' + lead + secret + '\\n');
  say(kind + ': ' + lead + secret.slice(0, 8) + '\\u001b[31m' + secret.slice(8) + '\\u001b[0m\\n');
}
for (const line of ${JSON.stringify(pem.split('\n'))}) say(line + '\\n');
const pieces = Object.entries(secrets).filter(([kind]) => kind !== 'key').flatMap(([kind, secret]) => {
  const lead = kind === 'bearer' ? 'Bearer ' : '';
  return [' ' + lead + secret.slice(0, 5), secret.slice(5)];
});
const next = () => {
  const piece = pieces.shift();
  if (piece === undefined) { say('\\nprinted\\n'); process.stderr.write('failed with ' + secrets.openai + '\\n'); process.exit(process.env.RALPH_ATTEMPT === '1' ? 1 : 0); }
  say(piece);
  setTimeout(next, 150);
};
next();
`;

/** Titles, objectives, criteria, names of files, commands and their environment carry one each. */
const plan = (wait: string): string => `goal: Deploy with ${secrets.github}
settings: {agents: {mine: {type: acp, command: [mine], env: {MINE_API_KEY: ${secrets.agent}}}}, knowledge: {approval_timeout: 0s}, retries: {backoff: [0s]}}
tasks:
  - id: print
    title: "Use ${secrets.openai} well"
    objective: "Authorization: Bearer ${secrets.bearer}"
    files: ["${secrets.amazon}.txt"]
    criteria: ["${secrets.environment} works"]
    run:
      - "echo ${secrets.github} > ${secrets.amazon}.txt"
      - {cmd: [node, print.cjs], env: {KEY: "${secrets.openai}"}}
      - '${wait}'
      - 'echo "$RALPH_INFO" > told.txt'
    verify: ["test -s ${secrets.amazon}.txt"]
`;

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Where a plan stands as it was written, because it has to run: its copy and the task files. */
const isPlan = (file: string): boolean =>
  /\/(?:plan\.source\.yaml|iterations\/\d+\/tasks\/[^/]+\.md)$/.test(file);

const expectClean = (directory: string): void => {
  const files = filesIn(directory);
  expect(files.length).toBeGreaterThan(5);
  const found = files
    .filter((file) => !isPlan(file))
    .flatMap((file) => leaks(`${file}\n${readFileSync(file, 'latin1')}`).map((kind) => `${kind} in ${file}`));
  expect(found).toEqual([]);
};

const signalFile = (type: string): string =>
  `type: ${type} # ${secrets.amazon}\ntarget: ALL\nmessage: ${secrets.openai}\nnote: "Bearer ${secrets.bearer}"\n...\n`;

test('no secret reaches a file of the session, standard output or an error, whatever it is printed by, sent in or named in', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan(waitFor('on')), 'print.cjs': printing, ...fixture });
  const home = { ...env, XDG_STATE_HOME: tempDir() };
  const running = startProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace, env: home });
  await running.waitFor(/"text":"[^"]*waiting for on/);
  const session = onlySession(workspace);
  writeIn(session, 'signals/inputs/signal.260101-000000Z-001.yaml', signalFile('INFO'));
  writeIn(session, 'signals/inputs/signal.260101-000000Z-002.yaml', signalFile(`NONSENSE-${secrets.github}`));
  const said = await runProgram(['signal', 'INFO', `take ${secrets.github}`, '--task', 'print', '--json'], {
    cwd: workspace,
    env: home,
  });
  // What is no signal is given ten seconds to become one.
  await running.waitFor('"signal.rejected"');
  release(workspace, 'on');
  const result = await running.done;
  expect(result.stdout).toContain('"session.stopped"');
  expect(leaks(said.stdout + said.stderr)).toEqual([]);
  expect(result.stdout.split('\n').filter((line) => leaks(line).length > 0)).toEqual([]);
  expect(leaks(result.stderr)).toEqual([]);
  // The work itself is done with what the plan says, and the agent is told what it was sent.
  expect(leaks(readFileSync(join(workspace, `${secrets.amazon}.txt`), 'utf8'))).toEqual(['github']);
  expect(leaks(readFileSync(join(workspace, 'told.txt'), 'utf8'))).toContain('github');
  expectClean(session);
  const id = session.split('/').at(-1) ?? '';
  const commands = [
    'status',
    'tasks',
    'tasks why print',
    'signals',
    'report',
    'report print',
    'logs print',
    `replay ${id}`,
  ];
  const shown = await Promise.all(
    commands.flatMap((command) =>
      [[], ['--json']].map(async (json) => {
        const { stdout, stderr } = await runProgram([...command.split(' '), ...json], {
          cwd: workspace,
          env: home,
        });
        return { command, leaks: leaks(stdout + stderr) };
      }),
    ),
  );
  expect(shown.filter((each) => each.leaks.length > 0)).toEqual([]);
});

test('an agent reads the goal as it was typed, ordinary words are no secrets, and nothing else keeps the secret', async () => {
  const workspace = workspaceWith({
    '.ralph/config.yaml': 'discovery: {enabled: false}\nretries: {max_attempts: 1, backoff: [0s]}\n',
  });
  const home = tempDir();
  const command = join(home, 'agent.sh');
  const prompts = join(home, 'prompts');
  writeFileSync(command, `#!/bin/sh\ncat >> '${prompts}'; exit 1\n`, { mode: 0o755 });
  mkdirSync(join(home, 'ralph-tui'));
  writeFileSync(
    join(home, 'ralph-tui/config.yaml'),
    `agents: {mine: {type: command, command: [${JSON.stringify(command)}]}}\n`,
  );
  const result = await runProgram(
    [
      'run',
      `Set up postgres in production with ${secrets.github}`,
      '--agent',
      'mine',
      '--headless',
      '--yes',
      '--permissions',
      'workspace',
    ],
    {
      cwd: workspace,
      env: {
        XDG_CONFIG_HOME: home,
        XDG_STATE_HOME: tempDir(),
        POSTGRES_PASSWORD: 'postgres',
        APP_TOKEN: 'production',
      },
    },
  );
  expect(readFileSync(prompts, 'utf8')).toContain(`Set up postgres in production with ${secrets.github}`);
  expect(readFileSync(join(onlySession(workspace), 'journal.jsonl'), 'utf8')).toContain(
    'Set up postgres in production with [redacted]',
  );
  expect(leaks(result.stdout + result.stderr)).toEqual([]);
  expectClean(onlySession(workspace));
});

test('after a restart a task still runs with the secrets of its plan, and the journal still has none', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Deploy
settings: {knowledge: {approval_timeout: 0s}, retries: {max_attempts: 1}}
tasks:
  - {id: first, title: First, run: [test -e go]}
  - {id: second, title: Second, blockedBy: [first], run: ["echo ${secrets.github} > used.txt"]}
`,
  });
  const home = { ...env, XDG_STATE_HOME: tempDir() };
  const options = { cwd: workspace, env: home };
  expect((await runProgram(['run', '--plan', 'plan.yaml'], options)).code).toBe(1);
  writeIn(workspace, 'go', '');
  expect((await runProgram(['retry', 'first'], options)).code).toBe(0);
  expect((await runProgram(['resume'], options)).code).toBe(0);
  expect(readFileSync(join(workspace, 'used.txt'), 'utf8')).toBe(`${secrets.github}\n`);
  expectClean(onlySession(workspace));
});

test('no secret reaches the screen, its title, a notification or what is remembered of it', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `${plan(waitFor('on'))}`.replace('approval_timeout: 0s', 'approval_timeout: 1h'),
    'print.cjs': printing,
    ...fixture,
  });
  const state = tempDir();
  const terminal = openTerminal([], {
    cwd: workspace,
    columns: 160,
    rows: 45,
    env: { ...env, XDG_STATE_HOME: state },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('▌plan.yaml');
  terminal.press('enter');
  await terminal.waitFor('y trust and run');
  terminal.press('y');
  await terminal.waitFor(/│ +waiting for on/);
  const session = onlySession(workspace);
  writeIn(session, 'signals/inputs/signal.260101-000000Z-001.yaml', signalFile('INFO'));
  await terminal.waitFor(/INFO +.*redacted/);
  for (const tab of (['changes', 'details', 'events', 'output'] as const).map(paneKey)) {
    terminal.press(tab);
    await terminal.waitFor(new RegExp(`\\[${tab} `));
  }
  release(workspace, 'on');
  await terminal.waitFor('Waiting for you');
  terminal.press('u');
  await terminal.waitFor(/Keep these lessons[\s\S]*how-to/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Keep these lessons'));
  terminal.press(paneKey('changes'));
  await terminal.waitFor(`[${tabTitle('changes')}]`);
  terminal.press(paneKey('details'));
  await terminal.waitFor(`[${tabTitle('details')}]`);
  expect(leaks(terminal.screen())).toEqual([]);
  terminal.press('q');
  await terminal.waitFor('Leave?');
  terminal.press('enter');
  await terminal.exit;
  expect(terminal.raw()).toContain('redacted');
  expect(leaks(terminal.raw())).toEqual([]);
  expectClean(session);
  for (const file of filesIn(state)) expect(leaks(readFileSync(file, 'utf8'))).toEqual([]);
});

test('a task whose id looks like a secret is refused, because ids become names of files', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: x\ntasks: [{id: "${secrets.github}", title: A, run: [echo]}]\n`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/id: looks like a secret/);
  expect(leaks(result.stderr)).toEqual([]);
});
