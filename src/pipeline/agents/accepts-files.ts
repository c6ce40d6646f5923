import { roleSchema } from '../../signals/signal.ts';
import { backendOf } from '../invoke.ts';
import type { SessionState } from '../state.ts';

/**
 * Whether every signal file counts, whoever wrote it (src/signals/README.md, rule 13): a person said so, or only commands work, which are the person's own.
 */
export const acceptsFiles = (state: SessionState): boolean =>
  state.settings.signals.unproven === 'accept' ||
  (roleSchema.options.every((role) => backendOf(state, role, null) === 'script') &&
    [...state.tasks.values()].every(({ definition }) => (definition.agent ?? 'script') === 'script'));
