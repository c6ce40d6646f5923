/** How many of its phases an issue spends calls of a model on. */
export const flowPhases = ['few', 'all'] as const;
export type FlowPhases = (typeof flowPhases)[number];
