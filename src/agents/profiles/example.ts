import { type AgentProfile, unknownAgent } from './profile.ts';

/**
 * The example agent of the ACP SDK 1.9.0. It plays one fixed turn and needs no model. Users set its file themselves: `command: [node, …/agent.js]`.
 */
export const example: AgentProfile = {
  ...unknownAgent,
  name: 'example',
  label: 'ACP example agent',
  command: ['acp-example-agent'],
  secondPrompt: 'cancels',
  loads: [],
  unenforced: null,
};
