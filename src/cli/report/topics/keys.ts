import { freeLetters, keyTable, otherCommands } from '../../../../components/table.ts';
import type { Topic } from './topic.ts';

/** Every key with its description, from the command table that also makes the footer and the help overlay. */
export const keys: Topic = {
  name: 'keys',
  summary: 'every key on the screen',
  sections: () => [
    {
      kind: 'text',
      text: `\`ui.keys\` in the configuration assigns other keys to commands, by their names: \`{steer.pause: "P"}\`. \`:\` on the screen searches all commands. These letters are not bound in the panes: ${freeLetters().join(' ')}.`,
    },
    {
      kind: 'table',
      rows: [['keys', 'command', 'does'], ...keyTable().map((row) => [row.keys, row.name, row.what])],
    },
    { kind: 'text', text: 'Commands in dialogs, and commands without their own key:' },
    {
      kind: 'table',
      rows: [['keys', 'command', 'does'], ...otherCommands().map((row) => [row.keys, row.name, row.what])],
    },
  ],
};
