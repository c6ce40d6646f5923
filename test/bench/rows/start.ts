import { programFile } from '../../helpers/program.ts';
import { median, type Row, sampleAsync, scaled, spreadOf, usualNode } from '../measure.ts';
import { startBareNode, startNode } from '../start-node.ts';

const times = 15;

/** `--version` beside a bare node that does nothing. */
export const start = async (): Promise<readonly Row[]> => {
  const bare = median(await sampleAsync(times, startBareNode));
  const samples = await sampleAsync(times, () => startNode([programFile, '--version']));
  const ours = median(samples);
  return [
    {
      name: '--version',
      value: ours,
      unit: 'ms',
      base: { name: 'bare node', value: bare },
      target: `< 120 ms where bare node takes ≤ ${usualNode} ms, and ≤ 3×`,
      ok: ours < scaled(120, bare, usualNode) && ours <= 3 * bare,
      spread: spreadOf(samples),
    },
  ];
};
