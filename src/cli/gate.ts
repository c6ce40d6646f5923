import { usage } from './cli.ts';
import type { OpenSession } from './open-session.ts';

/** The staged files of the open knowledge gate; without an open gate nothing is written and the exit code is 2. */
export const requireGate = (session: OpenSession): { readonly files: readonly string[] } => {
  const { state } = session;
  if (state.gate?.gate === 'knowledge') return { files: state.gate.files };
  if (state.state === 'KNOWLEDGE_APPROVAL') return { files: state.knowledge.staged };
  const mend =
    state.gate?.gate === 'plan'
      ? 'the plan does: `ralph-tui answer plan approve`'
      : `its state is ${state.state}; see \`ralph-tui status\``;
  throw usage(`no knowledge waits for approval in session ${session.paths.session}`, mend, 'no-gate');
};
