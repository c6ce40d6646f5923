import { loadedBy } from '../loaded-files.ts';
import { type AgentProfile, unknownAgent } from './profile.ts';

/** goose from its documentation: nobody here has tried it, so its installation is not offered. */
export const goose: AgentProfile = {
  ...unknownAgent,
  name: 'goose',
  label: 'goose (untried)',
  command: ['goose', 'acp'],
  passEnv: ['GOOSE_*', 'ANTHROPIC_API_KEY', 'GOOGLE_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'],
  env: { GOOSE_MODE: 'approve' },
  askingMode: 'approve',
  login: 'goose configure',
  loads: loadedBy('goose'),
};
