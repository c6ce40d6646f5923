import { act, type Command } from '../command.ts';
import { createEditor } from '../keys/line-editor.ts';
import { selectLogin } from './select-login.ts';

/** The key that logs in to the agent for which the session stopped. */
export const loginCommands: readonly Command[] = (['main', 'end'] as const).map((context) => ({
  id: context === 'main' ? 'session.login' : 'end.login',
  context,
  keys: ['L'],
  label: 'log in',
  description: "run the login command of the agent's vendor here, then resume",
  group: 'Arrive',
  inLines: { instead: 'the error message gives the login command: run it in your shell, then `resume`' },
  footer: context === 'main' ? 0 : 3,
  available: (view) => (selectLogin(view) === null ? 'No agent is waiting for a login' : true),
  run: () => [
    act({
      type: 'overlay-opened',
      overlay: { kind: 'confirm', subject: { kind: 'login' }, editor: createEditor() },
    }),
  ],
}));
