import type { Lane, Part } from '../helpers/model-server/script.ts';
import { codex } from './agents/codex.ts';
import { answer } from './story.ts';

/** The turns of a task of the list; `more` stands before its answer. Prompts are recognised by `when`, too. */
const lane = (
  task: string,
  outcome: object,
  more: readonly Part[] = [],
  when: readonly string[] = [],
): Lane => ({
  name: [task, ...when].join(' '),
  when: [`## Task ${task}`, ...when],
  steps: [...(more.length === 0 ? [] : [{ reply: more }]), { reply: [answer(outcome)] }],
});

export const research = (id: string, file: string): Lane =>
  lane(`research-${id}:`, { document: `# What is with ${id}`, files: [file] });

export const plan = (task: string): Lane =>
  lane(task, { document: '# The plan\n\n## Phase 1\n', phase_count: 1 });

export const review = (task: string, verdict: string): Lane =>
  lane(task, { verdict, document: `# Critique of ${task}`, summary: ['no test'] });

export const pr = (task: string): Lane => lane(task, { title: `Work of ${task}`, body: 'What and why.' });

/** Codex writes these files, one line each. */
export const work = (
  task: string,
  files: Readonly<Record<string, string>>,
  when: readonly string[] = [],
): Lane =>
  lane(
    task,
    { status: 'completed', summary: ['Wrote it.'], files_modified: Object.keys(files), criteria: [] },
    Object.entries(files).map(([file, line]) => codex.hand.create('', file, line)),
    when,
  );

/** The same, once the test releases `hold`. */
export const heldWork = (hold: string, task: string, files: Readonly<Record<string, string>>): Lane => {
  const { steps, ...rest } = work(task, files);
  return {
    ...rest,
    steps: steps.map((step) => ('reply' in step ? { reply: [{ hold }, ...step.reply] } : step)),
  };
};

/** A model that is silent until its agent is killed. */
export const silent = (name: string, task: string): Lane => ({
  name,
  when: [`## Task ${task}`],
  steps: [{ reply: [{ hold: 'never' }] }],
});

/** Researched before: its document names the files, and so its stream. */
export const researched = (id: string, file: string): readonly [string, string] => [
  `thoughts/shared/research/2026-02-01-GH-000${id}-known.md`,
  `---\ndate: 2026-02-01\ngithub_issue: ${id}\nfiles: [${file}]\n---\n# Known of ${id}\n`,
];
