import { loadedBy } from '../loaded-files.ts';
import { type AgentProfile, unknownAgent } from './profile.ts';

/**
 * GitHub Copilot CLI 1.0.102 from its documentation. Its start and its demand for a login were seen here, work was not: its
 * installation is not offered.
 */
export const copilot: AgentProfile = {
  ...unknownAgent,
  name: 'copilot',
  label: 'GitHub Copilot CLI (untried)',
  command: ['copilot', '--acp'],
  passEnv: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
  askingMode: 'https://agentclientprotocol.com/protocol/session-modes#agent',
  resumeCommand: 'copilot --resume {session}',
  login: 'copilot login',
  loads: loadedBy('copilot'),
};
