import type {
  Backend,
  BackendHost,
  Brief,
  Directive,
  TurnAsk,
  TurnResult,
  Worker,
} from '../../src/agents/port.ts';
import type { RoleFact } from '../../src/agents/role-fact.ts';
import { go } from './role-port.ts';

/** One worker at work, and everything it told its host. */
export interface WorkerBench {
  readonly worker: Worker;
  readonly facts: readonly RoleFact[];
  readonly output: () => string;
  /** Resolves when it has printed more than so many characters. */
  readonly printed: (characters: number) => Promise<void>;
  /** How often the worker passed its boundary. */
  readonly passed: () => number;
  /** Runs one turn; the boundaries get `directives` in order and then `go`. */
  turn(kind: string, data?: unknown, messages?: TurnAsk['messages']): Promise<TurnResult>;
}

/** Starts a worker of `backend`; `directives` are what its boundaries say, or make when they are reached. */
export const bench = (
  backend: Backend,
  brief: Brief,
  directives: readonly (Directive | (() => Directive | Promise<Directive>))[] = [],
  /** What the engine lends beside that. */
  host: Partial<BackendHost> = {},
): WorkerBench => {
  const facts: RoleFact[] = [];
  const decoder = new TextDecoder();
  let text = '';
  let passed = 0;
  const watchers = new Set<() => void>();
  const worker = backend.start(brief, {
    emit: (fact) => {
      facts.push(fact);
    },
    output: (bytes) => {
      text += decoder.decode(bytes, { stream: true });
      for (const look of [...watchers]) look();
    },
    ...host,
  });
  const boundary = async (): Promise<Directive> => {
    const directive = directives[passed];
    passed += 1;
    if (directive === undefined) return go();
    return typeof directive === 'function' ? directive() : directive;
  };
  return {
    worker,
    facts,
    output: () => text,
    printed: (characters) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (text.length <= characters) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    passed: () => passed,
    turn: (kind, data, messages = brief.messages) =>
      worker.turn({ kind, prompt: 'as the brief says', messages, data }, boundary),
  };
};

/** What a turn answered; a turn that came to anything else is thrown, whole. */
export const answerOf = (result: TurnResult): unknown => {
  if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
  return result.answer;
};
