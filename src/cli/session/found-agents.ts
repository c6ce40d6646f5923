import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Settings } from '../../session/settings.ts';
import type { World } from '../world.ts';
import { findProgram, isProgramThere, type KnownAgent, knownAgents } from './known-agents.ts';

/** An agent with the facts that are known without starting it. */
export interface FoundAgent extends KnownAgent {
  /** Path of its program; `null` when it is not installed. */
  readonly file: string | null;
  /** Version of the package its program belongs to; `null` without a package. */
  readonly version: string | null;
}

/** Looks for the programs of all known agents on the PATH; starts none. */
export const findAgents = (
  world: World,
  path: string | undefined,
  workspace: string,
  settings: Pick<Settings, 'agents' | 'roles'>,
): readonly FoundAgent[] => {
  const isThere = isProgramThere(world.disk);
  return knownAgents(settings).map((agent) => {
    const file = findProgram(agent.program, workspace, path, isThere);
    return { ...agent, file, version: file === null ? null : packageVersion(file) };
  });
};

/** `Gemini CLI 0.61.0 in /usr/bin/gemini, login: not checked`, or how to install it. */
export const agentWords = ({ profile, program, file, version }: FoundAgent): string => {
  const label = profile?.label ?? program;
  if (file !== null)
    return `${label}${version === null ? '' : ` ${version}`} in ${file}${profile ? ', login: not checked' : ''}`;
  const { install } = profile ?? { install: null };
  return install === null
    ? `${label} is not installed: ${program} was not found`
    : `${label} is not installed: ${install.command} (about ${install.megabytes} MB)`;
};

const manifestSchema = z.object({ version: z.string() });

/** npm links a program into its package: the manifest is a few folders above the link's target. */
const packageVersion = (file: string): string | null => {
  try {
    let folder = dirname(realpathSync(file));
    for (let up = 0; up < 4; up += 1) {
      const version = versionIn(join(folder, 'package.json'));
      if (version !== null) return version;
      folder = dirname(folder);
    }
  } catch {
    // A broken link has no version.
  }
  return null;
};

const versionIn = (manifest: string): string | null => {
  try {
    return manifestSchema.safeParse(JSON.parse(readFileSync(manifest, 'utf8'))).data?.version ?? null;
  } catch {
    return null;
  }
};
