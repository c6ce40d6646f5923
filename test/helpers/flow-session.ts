import {
  createForeignBackend,
  type ForeignWorks,
} from '../../src/agents/backends/foreign/create-foreign-backend.ts';
import type { Backend, Brief, TurnAsk } from '../../src/agents/port.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Fault } from '../../src/base/fault.ts';
import { readText } from '../../src/base/replace-file.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { readOwnComments, rememberComment } from '../../src/issues/documents/own-comments.ts';
import type { IssueComment } from '../../src/issues/issue.ts';
import type { Liveness } from '../../src/issues/lock.ts';
import type { PullRequests } from '../../src/issues/pull-requests/pull-requests.ts';
import { createNativeTracker } from '../../src/issues/trackers/native.ts';
import type { Tracker } from '../../src/issues/trackers/tracker.ts';
import { createWorkerLine, type WorkerLine } from '../../src/mcp/workers/answer-worker.ts';
import type { FlowStart } from '../../src/pipeline/modes/flow/flow-state.ts';
import { createSimulatedSession, type SessionOptions } from './engine-session.ts';
import { createManualClock } from './manual-clock.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createSimulatedDisk, type SimulatedDisk } from './simulated-disk.ts';
import { createSimulatedGit, type SimulatedGit } from './simulated-git.ts';
import { createSimulatedChanges } from './simulated-session-changes.ts';

/** What the agent of a phase hands in; the default is a good answer. */
export type Answers = (ask: Pick<TurnAsk, 'kind' | 'prompt' | 'messages'>, brief: Brief) => unknown;

export interface FlowSessionOptions {
  /** Front matter by id. */
  readonly issues: Readonly<Record<string, string>>;
  readonly start?: Partial<FlowStart>;
  readonly answers?: Answers;
  /** The first attempt of an implementation that changes nothing. */
  readonly idleFrom?: number;
  readonly attended?: boolean;
  readonly flags?: SessionOptions['flags'];
  readonly settings?: SessionOptions['settings'];
  readonly proofs?: SessionOptions['proofs'];
  readonly program?: SessionOptions['program'];
  readonly liveness?: Liveness;
  readonly pullRequests?: PullRequests;
  /** Why a skill of the repository is left out. */
  readonly refused?: Fault;
  /** Why a definition of workers of the repository is left out. */
  readonly refusedWorker?: Fault;
  /** Changes the tracker as one life of the program sees it. */
  readonly tracker?: (tracker: Tracker) => Tracker;
  /** Sees each look at the repository of the person. */
  readonly examined?: (git: SimulatedGit) => void;
}

const ownFile = '/state/comments.jsonl';

/** A flow on simulated disk, clock and git, over the native tracker, with an agent that answers at once. */
export const createFlowSession = (options: FlowSessionOptions) => {
  const clock = createManualClock();
  const disk = createSimulatedDisk({ now: () => clock.now() });
  disk.mkdir('/work/.ralph/issues');
  disk.mkdir('/state');
  for (const [id, matter] of Object.entries(options.issues))
    disk.put(`/work/.ralph/issues/${id}.md`, `---\ntitle: Issue ${id}\n${matter}\n---\nThe body of ${id}.\n`);
  const git = createSimulatedGit(
    new Map([
      ['src/a.ts', 'a'],
      ['src/b.ts', 'b'],
    ]),
  );
  const asked: { readonly task: string; readonly kind: string; readonly prompt: string }[] = [];
  const written = new Set<string>();
  const ports = (now: Clock, on: SimulatedDisk) => ({
    wrote: (path: string): void => {
      written.add(`${path} ${readText(on, path) ?? ''}`);
    },
    disk: on,
    clock: now,
    random: createSeededRandom(now.now() + 7),
    workspace: '/work',
  });
  let works: ForeignWorks | null = null;
  const trackerOn = (now: Clock, on: SimulatedDisk): Tracker => createNativeTracker(ports(now, on));
  const session = createSimulatedSession({
    plan: 'goal: none\ntasks: [{id: none, title: None}]\n',
    beside: { clock, disk },
    attended: options.attended ?? false,
    isAgreed: (file, bytes) => written.has(`/work/${file} ${new TextDecoder().decode(bytes)}`),
    ...(options.flags ? { flags: options.flags } : {}),
    ...(options.proofs === undefined ? {} : { proofs: options.proofs }),
    ...(options.program === undefined ? {} : { program: options.program }),
    settings: {
      roles: { executor: 'sample', reviewer: 'script' },
      knowledge: { ...emptyKnowledge, gate: 'never' },
      ...options.settings,
    },
    backends: [
      phases(asked, disk, options.answers ?? (() => undefined), options.idleFrom ?? Number.POSITIVE_INFINITY),
    ],
    livingBackends: (now) => {
      works = createForeignBackend(now);
      return [works.backend];
    },
    changes: (now, on) => {
      const parts = { disk: on, clock: now, git, random: createSeededRandom(3) };
      const port = createSimulatedChanges(parts, '260215-101500');
      return {
        ...port,
        examine: (workspace) => {
          options.examined?.(git);
          return port.examine(workspace);
        },
      };
    },
    flow: {
      start: {
        issue: '1',
        only: false,
        tracker: 'native',
        review: 'auto',
        auto_merge: false,
        fill: 'fresh',
        holder: { machine: 'here', workspace: '/work', session: '260215-101500' },
        ...options.start,
      },
      port: (now, on) => {
        const tracker = trackerOn(now, on);
        return {
          tracker: options.tracker?.(tracker) ?? tracker,
          liveness: () => options.liveness ?? 'alive',
          own: () => readOwnComments(ports(now, on), ownFile, 'native'),
          remember: (comment) => rememberComment(ports(now, on), ownFile, 'native', comment),
          pullRequests: options.pullRequests ?? null,
          instructions: () => ({ text: '# A phase\n', refused: options.refused ?? null }),
          worker: (role) => ({
            definition: { name: `ralph-${role}`, kinds: ['read'], body: `# The ${role}` },
            refused: options.refusedWorker ?? null,
          }),
        };
      },
    },
  });
  const tracker = trackerOn(clock, disk);
  return {
    ...session,
    asked,
    works: (): ForeignWorks => {
      if (works === null) throw new Error('no engine was started');
      return works;
    },
    /** The line of a worker of another program to the engine that runs now. */
    line: (engine: Engine): WorkerLine => {
      if (works === null) throw new Error('no engine was started');
      return createWorkerLine({
        door: engine.workers,
        works,
        watch: (changed) => engine.subscribe(changed),
        clock,
        random: session.random,
        token,
      });
    },
    /** The issue as the tracker has it now. */
    issue: async (id: string) => {
      const shown = await tracker.show(id);
      if (!shown.ok) throw new Error(`no issue ${id}`);
      return shown.value;
    },
    /** What a person does in the tracker meanwhile. */
    person: tracker,
    /** Makes a comment one of ours, as if an earlier session had posted it. */
    remember: (comment: Pick<IssueComment, 'id' | 'body'>): void =>
      rememberComment(ports(clock, disk), ownFile, 'native', comment),
  };
};

/** What a worker's first call shows. */
export const token = 'a token of the host';

const emptyKnowledge = { docs_dir: '.docs', max_carry_iterations: 2, approval_timeout: 0 } as const;

const phases = (
  asked: { task: string; kind: string; prompt: string }[],
  disk: SimulatedDisk,
  answers: Answers,
  idleFrom: number,
): Backend => ({
  name: 'sample',
  label: 'an agent for phases',
  model: { tools: false },
  start: (brief) => {
    const stopped = Promise.withResolvers<typeof wasStopped>();
    return {
      turn: async (ask) => {
        const task = brief.task?.id ?? '';
        asked.push({ task, kind: ask.kind, prompt: ask.prompt });
        const issue = /\d+/.exec(task)?.[0] ?? '';
        const file = issue === '3' ? 'src/b.ts' : 'src/a.ts';
        const { attempt = 1 } = brief;
        if (ask.kind === 'implement' && attempt < idleFrom)
          disk.put(
            `${brief.workspace}/${file}`,
            `changed by ${task}${attempt === 1 ? '' : ` again (${attempt})`}`,
          );
        const answer = await Promise.race([answers(ask, brief), stopped.promise]);
        if (answer === wasStopped) return { kind: 'stopped', why: 'abort' };
        return { kind: 'answered', answer: answer ?? goodAnswers[ask.kind]?.(file) };
      },
      stop: async () => stopped.resolve(wasStopped),
    };
  },
});

const wasStopped = Symbol('stopped');

/** In the form in which a procedure reads an answer. */
const goodAnswers: Readonly<Record<string, (file: string) => unknown>> = {
  'flow-triage': () => ({ status: 'completed', result: { action: 'research', reason: 'nothing is known' } }),
  'flow-split': () => ({
    status: 'completed',
    result: {
      sub_tickets: [
        { title: 'First half', body: '', estimate: 'S' },
        { title: 'Second half', body: '', estimate: 'S' },
      ],
    },
  }),
  'flow-research': (file) => ({ status: 'completed', result: { files: [file] }, document: '# What is\n' }),
  'flow-plan': () => ({ status: 'completed', result: { phase_count: 1 }, document: '# The plan\n' }),
  'flow-review': () => ({ status: 'completed', result: { verdict: 'APPROVED' }, document: '# Good\n' }),
  'flow-pr': () => ({ status: 'completed', result: { title: 'The change', body: 'What and why.' } }),
  implement: () => ({ status: 'completed' }),
  review: () => ({ verdict: 'Qualified' }),
};
