/** Installs the real agents of a run (`AGENTS=claude,qwen npm run agents`); does nothing when the exact versions are there. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentCache, isInstalled, wantedAgents } from './agents.ts';

for (const agent of wantedAgents()) {
  if (isInstalled(agent)) continue;
  const folder = join(agentCache, agent.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Without a package.json of its own npm would install into ours.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const wanted = Object.entries(agent.packages).map(([name, version]) => `${name}@${version}`);
  console.log(`Installing ${wanted.join(', ')}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...agent.flags, ...wanted], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (!isInstalled(agent)) throw new Error(`npm installed another version of ${wanted.join(', ')}`);
}
