/** Permissions of agents without a question, from least to most (src/agents/README.md, ACP flow, step 6). */
export const permissionPresets = ['ask', 'edits', 'workspace', 'all'] as const;
