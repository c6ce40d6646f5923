import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { startModelServer } from '../helpers/model-server/model-server.ts';
import type { Lane, Part } from '../helpers/model-server/script.ts';
import { removeTempDir } from '../helpers/temp-dir.ts';
import { agentCache, isInstalled, type RealAgent, realAgents } from './agents.ts';

/** The agents that are installed. In CI a missing one is a failure; elsewhere it is a notice, because not everybody wants half a gigabyte. */
export const installedAgents = (): readonly RealAgent[] => {
  const missing = realAgents.filter((agent) => !isInstalled(agent)).map(({ name }) => name);
  if (missing.length > 0 && process.env['CI'])
    throw new Error(`${missing.join(', ')} not installed: run node test/real-agents/install.ts`);
  if (missing.length > 0)
    console.warn(`Skipped: ${missing.join(', ')} not installed. Run node test/real-agents/install.ts first.`);
  return realAgents.filter((agent) => !missing.includes(agent.name));
};

/** A home outside the temporary directory, because Codex refuses one inside; removed when the test has ended. */
export const makeHome = (): string => {
  mkdirSync(agentCache, { recursive: true });
  const home = mkdtempSync(join(agentCache, 'home-'));
  onTestFinished(() => removeTempDir(home));
  return home;
};

/** A repository inside the home with one committed file, `a.txt`, that says `one`. */
export const makeWorkspace = (home: string): string => {
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: workspace,
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
  return workspace;
};

/** A model server that closes when the test has ended. */
export const modelServer = async (...lanes: readonly Lane[]) => {
  const server = await startModelServer(lanes);
  onTestFinished(server.close);
  return server;
};

/** The same intention in the tools of each agent. A workspace of '' leaves paths relative: to where the agent works. */
export interface Hand {
  /** Runs a command outside the agent's sandbox, so that it has to ask. */
  readonly shell: (command: string) => Part;
  /** Runs a command that must not write; Codex does not ask then. */
  readonly look: (command: string) => Part;
  /** Reads a file; `why` makes each call another one. */
  readonly read: (workspace: string, path: string, why: string) => Part;
  /** Fetches a page, by a tool of its own where it has one. */
  readonly fetch: (url: string) => Part;
  /** Replaces the one line of a file. */
  readonly edit: (workspace: string, path: string, was: string, becomes: string) => Part;
  readonly create: (workspace: string, path: string, line: string) => Part;
  /** What must be said before this tool of our MCP server can be called. */
  readonly search: (tool: string) => readonly Part[];
}

export const hands: Readonly<Record<RealAgent['name'], Hand>> = {
  gemini: {
    shell: (command) => ({ tool: 'run_shell_command', arguments: { command, description: 'a test' } }),
    look: (command) => ({ tool: 'run_shell_command', arguments: { command, description: 'a test' } }),
    read: (workspace, path) => ({ tool: 'read_file', arguments: { file_path: join(workspace, path) } }),
    fetch: (url) => ({ tool: 'web_fetch', arguments: { prompt: `Read ${url}` } }),
    edit: (workspace, path, was, becomes) => ({
      tool: 'replace',
      arguments: {
        file_path: join(workspace, path),
        instruction: 'a test',
        old_string: was,
        new_string: becomes,
      },
    }),
    create: (workspace, path, line) => ({
      tool: 'write_file',
      arguments: { file_path: workspace === '' ? path : resolve(workspace, path), content: `${line}\n` },
    }),
    search: () => [],
  },
  codex: {
    shell: (cmd) => ({
      tool: 'exec_command',
      arguments: { cmd, sandbox_permissions: 'require_escalated', justification: 'a test' },
    }),
    look: (cmd) => ({ tool: 'exec_command', arguments: { cmd } }),
    read: (_, path, why) => ({ tool: 'exec_command', arguments: { cmd: `cat ${path} # ${why}` } }),
    fetch: (url) => ({
      tool: 'exec_command',
      arguments: { cmd: `curl ${url}`, sandbox_permissions: 'require_escalated', justification: 'a test' },
    }),
    edit: (_, path, was, becomes) => ({
      tool: 'apply_patch',
      input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${was}\n+${becomes}\n*** End Patch\n`,
    }),
    create: (_, path, line) => ({
      tool: 'apply_patch',
      input: `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch\n`,
    }),
    search: (tool) => [{ search: tool }],
  },
};

export interface FoundProcess {
  readonly pid: number;
  /** Arguments, joined by blanks. */
  readonly command: string;
  readonly environment: string;
}

/** Every process whose environment or arguments we may read. */
export const processes = (): readonly FoundProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const read = (file: string): string =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ');
      try {
        return [{ pid: Number(pid), command: read('cmdline'), environment: read('environ') }];
      } catch {
        // It ended, or belongs to somebody else.
        return [];
      }
    });
