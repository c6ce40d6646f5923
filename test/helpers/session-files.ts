import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlySession } from './workspace.ts';

/** A file of the workspace's only session. */
export const sessionText = (workspace: string, ...parts: readonly string[]): string =>
  readFileSync(join(onlySession(workspace), ...parts), 'utf8');

/** The archived signals of the workspace's only session, oldest name first. */
export const processedSignals = (workspace: string): readonly string[] =>
  readdirSync(join(onlySession(workspace), 'signals/processed'))
    .toSorted()
    .map((name) => sessionText(workspace, 'signals/processed', name));

/** The one archived signal of this type. */
export const processedSignal = (workspace: string, type: string): string => {
  const found = processedSignals(workspace).filter((text) => text.startsWith(`type: ${type}\n`));
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${found.length} signals of type ${type}`);
  return found[0];
};
