/** What can happen to a session beside its own work. */
export type Disturbance =
  | 'signal'
  | 'flood'
  | 'scrap'
  | 'withdraw'
  | 'quit'
  | 'kill'
  | 'power'
  | 'reboot'
  | 'crash'
  | 'crash-twice'
  | 'full'
  | 'elsewhere';

const odds: readonly (readonly [Disturbance, number])[] = [
  ['signal', 0.12],
  ['flood', 0.003],
  ['scrap', 0.012],
  ['withdraw', 0.015],
  ['quit', 0.005],
  ['kill', 0.004],
  ['power', 0.003],
  ['reboot', 0.0015],
  ['crash', 0.006],
  ['crash-twice', 0.003],
  ['full', 0.003],
  ['elsewhere', 0.0015],
];

export const anyDisturbance = (die: number): Disturbance | null => {
  let sum = 0;
  for (const [kind, share] of odds) {
    sum += share;
    if (die < sum) return kind;
  }
  return null;
};
