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
  | 'elsewhere'
  | 'issue'
  | 'twin'
  | 'outage'
  | 'dirty'
  | 'turn';

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

/** What else happens around the issues of a flow. */
const oddsOfFlow: typeof odds = [
  ['issue', 0.02],
  ['outage', 0.004],
  ['dirty', 0.003],
  ['twin', 0.012],
];

/** A person takes merged work back, or brings it again. */
const oddsOfWorktrees: typeof odds = [['turn', 0.05]];

export const anyDisturbance = (
  die: number,
  { isFlow, merges }: { readonly isFlow: boolean; readonly merges: boolean },
): Disturbance | null => {
  let sum = 0;
  const also = isFlow ? oddsOfFlow : merges ? oddsOfWorktrees : [];
  for (const [kind, share] of [...odds, ...also]) {
    sum += share;
    if (die < sum) return kind;
  }
  return null;
};
