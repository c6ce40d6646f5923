import { join, relative } from 'node:path';
import { z } from 'zod';
import { formatKnowledge, formatKnowledgeIndex } from '../../session/knowledge.ts';
import { sessionPaths } from '../../session/paths.ts';
import {
  type CollectAnswer,
  collectAnswerSchema,
  type KnowledgeItem,
  knowledgeItemSchema,
  promoteAnswerSchema,
  steerTraceSchema,
} from '../answers.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Artifact, Brief, Procedure, RoleEnd, RolePort } from '../port.ts';
import type { SteerSubject } from '../steer-tree.ts';
import { joinMessages, messageSchema } from './messages.ts';
import { type Halt, type Notes, noTask, passCheckpoint, readContinuation, takeTurn } from './passing.ts';
import { promptFor } from './prompts/render-prompt.ts';
import { beyondPromotion, beyondStaging, leftToPromote, tellFollowed } from './staging-scope.ts';

/**
 * Keeps the lessons of a run (seed 000, section 6). STAGE: a gate, the evidence, a second look into the mailbox (a STEER filters the evidence again),
 * then the files under `knowledge/`. PROMOTE: a gate, at which a STEER can leave approved files out, then the chosen files become workspace documents.
 */
export const librarian: Procedure = async (port) => {
  const earlier = readContinuation(port.brief.continuation, continuationSchema);
  const state: Continuation = earlier
    ? { ...earlier, messages: joinMessages(earlier.messages, port.brief.messages) }
    : { step: 'gate', messages: port.brief.messages, steers: [], collected: null };
  return port.brief.mode === 'PROMOTE' ? promote(port, state) : stage(port, state);
};

/** `step` is the next step. `collected` is STAGE's result from before a pause. */
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

const stagingOf = (brief: Brief, { collected }: Continuation): SteerSubject =>
  brief.model ? noTask : { ...noTask, cannot: (message) => beyondStaging(message, collected?.items ?? null) };

/** Code promotes for every backend. */
const promotionOf = ({ promote = [] }: Brief, { steers }: Continuation): SteerSubject => ({
  ...noTask,
  cannot: (message) => beyondPromotion(message, leftToPromote(steers, promote)),
});

const notesOf = ({ messages, steers }: Continuation): Notes => ({ messages, steers });

const stage = async (port: RolePort, begun: Continuation): Promise<RoleEnd> => {
  const { brief } = port;
  let state = begun;
  if (state.step === 'gate') {
    const passed = await passCheckpoint(port, 'Librarian.stage', notesOf(state), stagingOf(brief, state));
    if (passed.kind === 'halt') return halted(brief, passed.halt, { ...state, ...passed.notes });
    state = { ...state, ...passed.notes, step: 'collect' };
  }
  for (;;) {
    if (state.step === 'collect') {
      const turn = await takeTurn(
        port,
        {
          kind: 'collect',
          prompt: promptFor(brief, 'collect', { messages: state.messages }),
          messages: state.messages,
          data: { continuation: state.turn },
        },
        brief.model ? 'Librarian.stage' : null,
        collectAnswerSchema,
      );
      if (turn.kind === 'end') return turn.end;
      if (turn.kind === 'halt') return halted(brief, turn.halt, { ...state, turn: turn.continuation });
      const collected = brief.model ? await withCarried(port, turn.answer) : turn.answer;
      state = { ...state, step: 'collected', collected, turn: undefined };
    }
    const passed = await passCheckpoint(port, 'Librarian.collected', notesOf(state), stagingOf(brief, state));
    if (passed.kind === 'halt') return halted(brief, passed.halt, { ...state, ...passed.notes });
    state = { ...state, ...passed.notes, step: passed.verdict === null ? 'collected' : 'collect' };
    if (passed.verdict === null) {
      if (!brief.model) tellFollowed(port, state.steers, 'in what is staged');
      return staged(brief, state);
    }
  }
};

/** Code carries the documents of earlier iterations, whether an agent or a script collects. A fresh document replaces one of the same name. */
const withCarried = async (port: RolePort, fresh: CollectAnswer): Promise<CollectAnswer> => {
  const carried = await takeTurn(
    port,
    { kind: 'carry', prompt: '', messages: [], data: { fresh: fresh.items } },
    null,
    collectAnswerSchema,
  );
  if (carried.kind !== 'answer') return fresh;
  return {
    items: [...fresh.items, ...carried.answer.items],
    dropped: [...fresh.dropped, ...carried.answer.dropped],
  };
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
    const passed = await passCheckpoint(port, 'Librarian.promote', notesOf(state), promotionOf(brief, state));
    if (passed.kind === 'halt') return halted(brief, passed.halt, { ...state, ...passed.notes });
    state = { ...state, ...passed.notes, step: 'promote' };
  }
  const turn = await takeTurn(
    port,
    {
      kind: 'promote',
      // Code promotes without asking an agent.
      prompt: '',
      messages: state.messages,
      data: {
        promote: brief.promote === undefined ? undefined : leftToPromote(state.steers, brief.promote),
        continuation: state.turn,
      },
    },
    null,
    promoteAnswerSchema,
  );
  if (turn.kind === 'end') return turn.end;
  if (turn.kind === 'halt') return halted(brief, turn.halt, { ...state, turn: turn.continuation });
  const { documents, refused, index } = turn.answer;
  for (const text of refused) port.emit({ type: 'finding.noted', text });
  tellFollowed(port, state.steers, 'in what is promoted');
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
