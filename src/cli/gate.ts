import { usage } from './cli.ts';
import type { OpenSession } from './open-session.ts';

/** The staged files of the open knowledge gate; without an open gate nothing is written and the exit code is 2. */
export const requireGate = (session: OpenSession): { readonly files: readonly string[] } => {
  const { state } = session;
  if (state.gate?.gate === 'knowledge') return { files: state.gate.files };
  if (state.state === 'KNOWLEDGE_APPROVAL') return { files: state.knowledge.staged };
  throw usage(
    `no knowledge waits for approval in session ${session.paths.session}`,
    `its state is ${state.state}; see \`ralph-tui status\``,
    'no-gate',
  );
};
