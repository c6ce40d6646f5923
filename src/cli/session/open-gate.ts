import { usage } from '../cli.ts';
import type { OpenSession } from './open-session.ts';

/** The staged files of the open knowledge gate. Without an open gate throws exit 2, with nothing written. */
export const requireGate = (session: OpenSession): { readonly files: readonly string[] } => {
  const { state } = session;
  if (state.gate?.gate === 'knowledge') return { files: state.gate.files };
  if (state.state === 'KNOWLEDGE_APPROVAL') return { files: state.knowledge.staged };
  const hint =
    state.gate?.gate === 'plan'
      ? `the plan is waiting instead: approve it with \`ralph-tui answer plan approve --session ${session.paths.session}\``
      : `\`ralph-tui status --session ${session.paths.session}\` shows what it is doing`;
  throw usage(`no lesson is waiting for a decision in session ${session.paths.session}`, hint, 'no-gate');
};
