/** The choices with a key of their own, as their commands are named: `answer.first`, `needs.first`. */
export const choiceNames = ['first', 'second', 'third', 'fourth', 'fifth'] as const;
