import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { cleanEnvironment, programFile } from '../helpers/program.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { agentCache } from './agents.ts';
import { replies } from './story.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer } from './world.ts';

const root = join(import.meta.dirname, '../..');

type Run = (program: string, ...args: readonly string[]) => Promise<string>;
/** The vendor's program with these arguments. */
type Program = (...args: readonly string[]) => Promise<string>;

/** How the vendor's own program, which the adapter brings with it, gets our plugin and asks its model once without a screen. */
interface Plugged {
  readonly program: readonly [string, ...string[]];
  /** Returns what it printed. */
  readonly install: (run: Run, program: Program) => Promise<string>;
  readonly says: readonly RegExp[];
  readonly ask: readonly string[];
  /** What stands in the prompt. */
  readonly asks: string;
  /** What the model gets beside it, because of the plugin. */
  readonly also?: readonly string[];
}

const question = 'How does it stand?';

const plugged: Readonly<Record<string, Plugged>> = {
  claude: {
    program: [
      join(agentCache, `claude/node_modules/@anthropic-ai/claude-agent-sdk-linux-${process.arch}/claude`),
    ],
    install: async (_run, program) =>
      [
        await program('plugin', 'validate', root),
        await program('plugin', 'validate', join(root, '.claude-plugin/ralph')),
        await program('plugin', 'marketplace', 'add', root),
        await program('plugin', 'install', 'ralph@ralph-sessions'),
      ].join('\n'),
    says: [
      /Validation passed\n[\s\S]*Validation passed/,
      /Successfully installed plugin: ralph@ralph-sessions/,
    ],
    ask: ['-p', '--allowedTools', 'mcp__plugin_ralph_ralph-tui', '--', `/ralph ${question}`],
    asks: `The person asks: ${question}`,
    also: ['native has 1 processable issue.'],
  },
  gemini: {
    program: [process.execPath, join(agentCache, 'gemini/node_modules/@google/gemini-cli/bundle/gemini.js')],
    install: async (_run, program) =>
      [
        await program('extensions', 'validate', root),
        await program('extensions', 'link', root, '--consent'),
      ].join('\n'),
    says: [/successfully validated/i, /"ralph" linked successfully/],
    ask: ['--approval-mode', 'yolo', '-p', question],
    asks: question,
  },
  codex: {
    program: [process.execPath, join(agentCache, 'codex/node_modules/@openai/codex/bin/codex.js')],
    install: async (run, program) =>
      [await run('ralph-tui', 'init', '--codex'), await program('mcp', 'list')].join('\n'),
    says: [/^written to /, /ralph-tui +ralph-tui +mcp/],
    ask: ['exec', '--dangerously-bypass-approvals-and-sandbox', question],
    asks: question,
  },
  opencode: {
    program: [
      join(agentCache, `opencode/node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`),
    ],
    install: async (run, program) =>
      [await run('ralph-tui', 'init', '--opencode'), await program('mcp', 'list')].join('\n'),
    says: [/^written to /, /ralph-tui\b[\s\S]*connected/],
    ask: ['run', question],
    asks: question,
  },
};

const begin = async (agent: RealAgent) => {
  const home = makeHome();
  const workspace = makeWorkspace(home);
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(programFile, join(bin, 'ralph-tui'));
  mkdirSync(join(workspace, '.ralph/issues'), { recursive: true });
  writeFileSync(join(workspace, '.ralph/issues/1.md'), '---\ntitle: One\nstate: backlog\n---\n');
  const model = await modelServer();
  const { PATH = '', ...clean } = cleanEnvironment({ HOME: home, ...agent.settle(home, model.url) });
  const env = { ...clean, PATH: `${bin}:${PATH}` };
  const run: Run = (program, ...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      let out = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (piece: Buffer) => {
          out += String(piece);
        });
      onTestFailed(() => console.log(`${[program, ...args].join(' ')}\n${out.slice(-4_000)}`));
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve(out) : reject(new Error(`${program} ended with ${code}:\n${out}`)),
      );
    });
  return { model, run };
};

const agents = installedAgents().flatMap((agent) => {
  const how = plugged[agent.name];
  return how === undefined ? [] : [{ name: agent.name, agent, how }];
});

describe.each(agents)('$name', ({ agent, how }) => {
  test('takes our plugin, starts its server and calls a tool of it', async () => {
    const { model, run } = await begin(agent);
    const [first, ...rest] = how.program;
    const program: Program = (...args) => run(first, ...rest, ...args);
    const said = await how.install(run, program);
    for (const words of how.says) expect(said).toMatch(words);
    model.add({
      name: 'only',
      when: [how.asks],
      steps: [
        ...replies(agent.hand.ours('session_status', {})),
        { expects: 'no session', reply: [{ text: 'Nothing runs here.' }] },
      ],
    });
    expect(await program(...how.ask)).toContain('Nothing runs here.');
    expect([model.problems, model.left()]).toEqual([[], []]);
    const request = model.requests.find(({ kind }) => kind === 'step');
    for (const words of how.also ?? []) expect(request?.whole).toContain(words);
  });
});
