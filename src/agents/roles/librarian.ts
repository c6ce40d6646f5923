import { join, relative } from 'node:path';
import { z } from 'zod';
import { formatKnowledge, formatKnowledgeIndex } from '../../session/knowledge.ts';
import { sessionPaths } from '../../session/paths.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Artifact, Brief, Procedure, RoleEnd, RolePort } from '../port.ts';
import {
  collectAnswerSchema,
  type KnowledgeItem,
  knowledgeItemSchema,
  promoteAnswerSchema,
  steerTraceSchema,
} from './answers.ts';
import { joinMessages, messageSchema } from './messages.ts';
import { type Halt, type Notes, noTask, passCheckpoint, readContinuation, takeTurn } from './passing.ts';
import { collectPrompt, promotePrompt } from './prompts/librarian.ts';

/**
 * Keeps what a run taught (seed 000, section 6). STAGE: a gate, the evidence, another look into the mailbox (a STEER has it filtered again), then the
 * files under `knowledge/`. PROMOTE: a gate, then the chosen files go to the workspace's documents.
 */
export const librarian: Procedure = async (port) => {
  const earlier = readContinuation(port.brief.continuation, continuationSchema);
  const state: Continuation = earlier
    ? { ...earlier, messages: joinMessages(earlier.messages, port.brief.messages) }
    : { step: 'gate', messages: port.brief.messages, steers: [], collected: null };
  return port.brief.mode === 'PROMOTE' ? promote(port, state) : stage(port, state);
};

/** `step` is the next thing to do; `collected` what STAGE found before it paused. */
const continuationSchema = z.object({
  step: z.enum(['gate', 'collect', 'collected', 'promote']),
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  collected: z
    .object({ items: z.array(knowledgeItemSchema).readonly(), dropped: z.array(z.string()).readonly() })
    .nullable(),
  turn: z.unknown().optional(),
});
type Continuation = z.infer<typeof continuationSchema>;

const notesOf = ({ messages, steers }: Continuation): Notes => ({ messages, steers });

const stage = async (port: RolePort, begun: Continuation): Promise<RoleEnd> => {
  const { brief } = port;
  let state = begun;
  if (state.step === 'gate') {
    const passage = await passCheckpoint(port, 'Librarian.stage', notesOf(state), noTask);
    if (passage.kind === 'halt') return halted(brief, passage.halt, { ...state, ...passage.notes });
    state = { ...state, ...passage.notes, step: 'collect' };
  }
  for (;;) {
    if (state.step === 'collect') {
      const turn = await takeTurn(
        port,
        {
          kind: 'collect',
          prompt: collectPrompt(brief, state.messages),
          messages: state.messages,
          data: { continuation: state.turn },
        },
        null,
        collectAnswerSchema,
      );
      if (turn.kind === 'end') return turn.end;
      if (turn.kind === 'halt') return halted(brief, turn.halt, { ...state, turn: turn.continuation });
      state = { ...state, step: 'collected', collected: turn.answer, turn: undefined };
    }
    const passage = await passCheckpoint(port, 'Librarian.collected', notesOf(state), noTask);
    if (passage.kind === 'halt') return halted(brief, passage.halt, { ...state, ...passage.notes });
    state = { ...state, ...passage.notes, step: passage.verdict === null ? 'collected' : 'collect' };
    if (passage.verdict === null) return staged(brief, state);
  }
};

const staged = (brief: Brief, { collected }: Continuation): RoleEnd => {
  const items = collected?.items ?? [];
  const knowledge = sessionPaths(brief.workspace, brief.session).iteration(brief.iteration).knowledge;
  const base = relative(brief.sessionDirectory, knowledge);
  const artifacts = items.map(
    (item): Artifact => ({
      root: 'session',
      path: join(base, item.category, item.name),
      text: stagedText(brief, item),
      write: 'replace',
    }),
  );
  const index: Artifact = {
    root: 'session',
    path: join(base, 'index.md'),
    text: formatKnowledgeIndex(
      items.map((item) => ({
        file: fileOf(item),
        category: item.category,
        sourceArtifacts: item.source_artifacts,
        stagedAt: item.staged_at,
        carried: item.carried_from_iteration !== null,
      })),
      `Knowledge (Iteration ${brief.iteration})`,
    ),
    write: 'replace',
  };
  return {
    kind: 'outcome',
    outcome: {
      ...outcomeOf(brief, { status: 'completed', blockers: [] }),
      staged: items.map(fileOf),
      carried: items.filter((item) => item.carried_from_iteration !== null).map(fileOf),
      dropped: collected?.dropped ?? [],
    },
    artifacts: items.length === 0 ? [] : [...artifacts, index],
  };
};

const stagedText = (brief: Brief, { name: _, ...item }: KnowledgeItem): string =>
  formatKnowledge({ ...item, source_session: brief.session, promoted_at: null });

const promote = async (port: RolePort, begun: Continuation): Promise<RoleEnd> => {
  const { brief } = port;
  let state = begun;
  if (state.step === 'gate') {
    const passage = await passCheckpoint(port, 'Librarian.promote', notesOf(state), noTask);
    if (passage.kind === 'halt') return halted(brief, passage.halt, { ...state, ...passage.notes });
    state = { ...state, ...passage.notes, step: 'promote' };
  }
  const turn = await takeTurn(
    port,
    {
      kind: 'promote',
      prompt: promotePrompt(brief, state.messages),
      messages: state.messages,
      data: { promote: brief.promote, continuation: state.turn },
    },
    null,
    promoteAnswerSchema,
  );
  if (turn.kind === 'end') return turn.end;
  if (turn.kind === 'halt') return halted(brief, turn.halt, { ...state, turn: turn.continuation });
  const { documents, refused, index } = turn.answer;
  for (const text of refused) port.emit({ type: 'finding.noted', text });
  const knowledge = sessionPaths(brief.workspace, brief.session).iteration(brief.iteration).knowledge;
  const docs = brief.settings.knowledge.docs_dir;
  const artifacts = documents.flatMap(({ file, text }): Artifact[] => [
    { root: 'workspace', path: join(docs, file), text, write: 'replace' },
    {
      root: 'session',
      path: join(relative(brief.sessionDirectory, knowledge), file),
      text,
      write: 'replace',
    },
  ]);
  const list: Artifact = { root: 'workspace', path: join(docs, 'index.md'), text: index, write: 'replace' };
  return {
    kind: 'outcome',
    outcome: {
      ...outcomeOf(brief, { status: 'completed', blockers: refused }),
      promoted: documents.map(({ file }) => file),
    },
    artifacts: documents.length === 0 ? [] : [...artifacts, list],
  };
};

const fileOf = (item: { readonly category: string; readonly name: string }): string =>
  `${item.category}/${item.name}`;

const halted = (brief: Brief, halt: Halt, state: Continuation): RoleEnd => ({
  kind: 'outcome',
  outcome: outcomeOf(brief, halt),
  artifacts: [],
  ...(halt.status === 'paused' ? { continuation: state } : {}),
  ...(halt.escalation === undefined ? {} : { escalation: halt.escalation }),
});

const outcomeOf = (
  brief: Brief,
  end: { readonly status: 'completed' | 'blocked' | 'paused'; readonly blockers: readonly string[] },
): OutcomeOf<'Librarian'> => ({
  role: 'Librarian',
  status: end.status,
  blockers: end.blockers,
  mode: brief.mode === 'PROMOTE' ? 'PROMOTE' : 'STAGE',
  staged: [],
  dropped: [],
  carried: [],
  promoted: [],
});
