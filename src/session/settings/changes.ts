import { z } from 'zod';
import { setting } from './setting.ts';

/** Where tasks change files, and what becomes of that. */
export const changesSettings = [
  setting({
    key: 'isolation',
    schema: z.enum(['auto', 'worktree', 'shared']),
    default: 'auto',
    unit: null,
    live: false,
    widens: { unless: ['auto', 'worktree', 'shared'] },
    sentence:
      'Where tasks change files. worktree: each in its own git worktree, merged into the branch ralph/<session> once it has passed. shared: all in the workspace itself. auto: worktree when a model works on the tasks, the repository allows it and commit is off.',
  }),
  setting({
    key: 'worktree.setup',
    schema: z.array(z.string()).readonly(),
    default: [],
    unit: null,
    live: false,
    widens: { unless: [[]] },
    sentence: 'Shell commands that run in each new worktree before its task, such as `npm ci`.',
  }),
  setting({
    key: 'worktree.teardown',
    schema: z.array(z.string()).readonly(),
    default: [],
    unit: null,
    live: false,
    widens: { unless: [[]] },
    sentence:
      'Shell commands that run in each worktree before it is removed, such as `docker compose down`. These commands and those of `worktree.setup` get a number in RALPH_SLOT that is unique among the worktrees of the repository.',
  }),
  setting({
    key: 'worktree.copy',
    schema: z.array(z.string()).readonly(),
    default: [],
    unit: null,
    live: false,
    widens: { unless: [[]] },
    sentence: 'Ignored files and directories that are copied into each worktree, such as `.env`.',
  }),
  setting({
    key: 'changes.at_end',
    schema: z.enum(['ask', 'keep', 'merge', 'squash', 'pull-request']),
    default: 'ask',
    unit: null,
    live: false,
    widens: { unless: ['ask', 'keep'] },
    sentence:
      'What happens to the branch ralph/<session> at the end. merge: merged into the branch that is checked out. squash: the same, as one commit. ask: a person decides; without one, the branch is kept. The branch of an issue ends in a pull request; flow.auto_merge says whether it is merged.',
  }),
] as const;
