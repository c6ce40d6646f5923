import type { AgentProfile } from '../profile.ts';

/**
 * The example agent of the ACP SDK 1.9.0. It plays one fixed turn and needs no model. Users set its file themselves: `command: [node, …/agent.js]`.
 */
export const example: AgentProfile = {
  name: 'example',
  label: 'ACP example agent',
  command: ['acp-example-agent'],
  install: null,
  passEnv: [],
  env: {},
  jsonEnv: {},
  ownCli: null,
  askingMode: null,
  secondPrompt: 'cancels',
  keepsCancelled: false,
  resume: 'none',
  resumeCommand: null,
  login: null,
  loads: [],
  reportsCost: false,
  unenforced: null,
};
