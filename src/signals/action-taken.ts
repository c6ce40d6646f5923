/** What became of a message whose reader made no decision of it, as `action_taken` begins: archived files and other programs have nothing else. */
export const actionTaken = {
  added: 'added to the context',
  guidance: 'kept as guidance',
  ended: 'ended before it read this',
  /** A STEER that its agent left unanswered. */
  unanswered: 'no answer',
} as const;

/** Reads what such an `action_taken` says; `null` for any other. */
export const actionKind = (action: string): keyof typeof actionTaken | null => {
  const kinds = ['added', 'guidance', 'ended', 'unanswered'] as const;
  return kinds.find((kind) => action.startsWith(actionTaken[kind])) ?? null;
};
