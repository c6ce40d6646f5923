import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type ModelServer, startModelServer } from '../helpers/model-server/model-server.ts';
import type { Lane } from '../helpers/model-server/script.ts';
import { removeTempDir } from '../helpers/temp-dir.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { agentCache, isInstalled, wantedAgents } from './agents.ts';

/** The wanted agents that are installed. In CI a missing one is a failure; elsewhere it is a notice, because not everybody wants half a gigabyte. */
export const installedAgents = (): readonly RealAgent[] => {
  const wanted = wantedAgents();
  const missing = wanted.filter((agent) => !isInstalled(agent)).map(({ name }) => name);
  if (missing.length > 0 && process.env['CI'])
    throw new Error(`${missing.join(', ')} not installed: run node test/real-agents/install.ts`);
  if (missing.length > 0)
    console.warn(`Skipped: ${missing.join(', ')} not installed. Run node test/real-agents/install.ts first.`);
  return wanted.filter((agent) => !missing.includes(agent.name));
};

/** Whether a test that needs exactly these agents can run. In CI a wanted one that is missing is a failure. */
export const allInstalled = (...agents: readonly RealAgent[]): boolean => {
  const there = installedAgents();
  return agents.every((agent) => there.includes(agent));
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

/** How long the model takes for a reply; 2000 was tried by hand. */
export const replyMs = Number(process.env['RALPH_REPLY_MS'] ?? 0);

/** A model server that closes when the test has ended. */
export const modelServer = async (...lanes: readonly Lane[]) => {
  const server = await startModelServer(lanes, replyMs);
  onTestFinished(server.close);
  return server;
};

/** Waits until the model was asked nothing for so long, of which the first moment is now. */
export const nothingAsked = async (
  { requests }: Pick<ModelServer, 'requests'>,
  quietMs: number,
): Promise<void> => {
  const since = Date.now();
  await expect
    .poll(() => Date.now() - Math.max(since, requests.at(-1)?.at ?? 0), { interval: 100 })
    .toBeGreaterThan(quietMs);
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
        // It ended, or belongs to someone else.
        return [];
      }
    });
