import type { Directive, Message, TaskBrief } from '../../src/agents/port.ts';
import type { KnowledgeNote, PersonQuestion, TaskUpdate } from '../../src/agents/tool-inputs.ts';
import type { ToolCalls } from '../../src/agents/tools.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { briefOf, taskOf } from '../helpers/role-port.ts';

const standing = (definition: TaskDefinition, status: string): TaskBrief => ({
  definition,
  status,
  attempts: 1,
});

/** The calls of one worker, played: what the boundary gives in turn, and what was asked for. */
export interface PlayedCalls extends ToolCalls {
  /** What the next boundaries give; `go` without messages when it is empty. */
  readonly boundaries: Directive[];
  readonly reachedMessages: Message[];
  readonly missedMessages: Message[];
  readonly updates: TaskUpdate[];
  readonly questions: PersonQuestion[];
  readonly notes: KnowledgeNote[];
  /** Waits until a call waits for a hold or a person, then ends that wait. */
  resume(): Promise<void>;
  answer(text: string | null): Promise<void>;
  /** Waits until a call waits, then a hold begins. */
  hold(): Promise<void>;
  /** Resolves when a call has begun to wait. */
  waiting(): Promise<void>;
}

export const playedCalls = (): PlayedCalls => {
  const schema = standing(taskOf({ id: 'schema', metadata: { port: 8080 } }), 'done');
  const html = standing(
    taskOf({ id: 'html', blockedBy: ['schema'], criteria: ['html works'], objective: 'Write the page.' }),
    'running',
  );
  const hold = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<string | null>();
  const waits = Promise.withResolvers<void>();
  const played: PlayedCalls = {
    brief: briefOf({ invocation: 'Executor-7', task: html.definition }),
    boundaries: [],
    reachedMessages: [],
    missedMessages: [],
    updates: [],
    questions: [],
    notes: [],
    boundary: async () => played.boundaries.shift() ?? { kind: 'go', messages: [] },
    reached: (messages) => played.reachedMessages.push(...messages),
    missed: (messages) => played.missedMessages.push(...messages),
    held: () => held.promise,
    released: () => {
      waits.resolve();
      return hold.promise;
    },
    tasks: () => [schema, html],
    report: (task) => (task === 'schema' ? 'It validates.' : null),
    update: (update) => {
      played.updates.push(update);
      if (update.outcome === undefined)
        return update.status === 'in_progress'
          ? { kind: 'noted' }
          : { kind: 'refused', wrong: ['outcome: missing'] };
      return update.outcome['status'] === 'completed'
        ? { kind: 'accepted' }
        : { kind: 'refused', wrong: ['status: must be completed'] };
    },
    ask: (question) => {
      played.questions.push(question);
      waits.resolve();
      return { request: 'ask:Executor-7:1', answered: answered.promise };
    },
    stage: (note) => {
      played.notes.push(note);
      return { kind: 'staged', file: `${note.category}/${note.name}` };
    },
    resume: async () => {
      await waits.promise;
      hold.resolve();
    },
    answer: async (text) => {
      await waits.promise;
      answered.resolve(text);
    },
    hold: async () => {
      await waits.promise;
      held.resolve();
    },
    waiting: () => waits.promise,
  };
  return played;
};
