import { join } from 'node:path';
import type { Story } from './story.ts';
import { workspaceWith, writeIn } from './workspace.ts';

/** The session of a stored story. */
export const storedId = '260215-101500';

/** A workspace whose only session is this story, as its program left it: nobody runs it. */
export const storeStory = ({ events }: Pick<Story, 'events'>): string => {
  const workspace = workspaceWith({});
  writeIn(
    workspace,
    join('.ralph-sessions', storedId, 'journal.jsonl'),
    events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  );
  return workspace;
};

/** Drops a signal into the session's mailbox like a person with an editor. */
export const dropSignal = (
  workspace: string,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): void =>
  writeIn(
    workspace,
    join('.ralph-sessions', storedId, 'signals/inputs', `signal.260215-11${name}.yaml`),
    `${Object.entries(fields)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join('\n')}\n...\n`,
  );
