import type { RunnerSettings } from '../session/settings/runners.ts';

/** What a fence does not hold: `word` for the header, `text` where there is room. */
interface FenceGap {
  readonly word: string;
  readonly text: string;
}

/** The gaps of a fence with this network, the widest first. */
export const fenceGaps = (
  network: Extract<RunnerSettings, { sandbox: string }>['network'],
): readonly FenceGap[] => [
  ...(network === 'on'
    ? [{ word: 'network', text: "the network, including this machine's own ports and abstract sockets" }]
    : []),
  ...(network === 'model' ? [{ word: 'its model', text: 'what the agent sends to its model' }] : []),
  { word: 'memory, disk, processes', text: 'memory, disk and processes' },
  {
    word: 'system programs',
    text: 'reading system programs, their settings in /etc and the directories of `tools:`',
  },
];
