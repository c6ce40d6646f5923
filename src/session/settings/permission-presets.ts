/** Permissions of agents without a question, from least to most (product.md, agents.md). */
export const permissionPresets = ['ask', 'edits', 'workspace', 'all'] as const;
