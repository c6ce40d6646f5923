import { programFile } from '../../helpers/program.ts';
import { type Row, sampleTurnsAsync, turnsRow } from '../measure.ts';
import { startBareNode, startNode } from '../start-node.ts';

/** `--version` beside a bare node that does nothing. */
export const start = async (): Promise<readonly Row[]> => {
  const turns = await sampleTurnsAsync(15, () => startNode([programFile, '--version']), startBareNode);
  return [turnsRow('--version', 'bare node', 1.8, turns)];
};
