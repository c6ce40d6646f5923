import { createAcpBackend } from '../../src/agents/backends/acp/create-acp-backend.ts';
import type { WarmAgents } from '../../src/agents/backends/acp/warm/warm-agents.ts';
import type { Backend } from '../../src/agents/port.ts';
import type { AgentProfile } from '../../src/agents/profiles/profile.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';

/** An agent of a profile as a real process. */
export const acpBackend = (
  profile: AgentProfile,
  env: Readonly<Record<string, string | undefined>> = process.env,
  warm?: WarmAgents,
): Backend =>
  createAcpBackend(
    {
      disk: createDisk(),
      spawn: createSpawn(),
      clock: createClock(),
      env,
      version: 'test',
      ...(warm ? { warm } : {}),
    },
    profile,
  );
