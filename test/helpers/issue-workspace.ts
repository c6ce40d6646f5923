import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { personGit } from './changes.ts';
import { workspaceWith } from './workspace.ts';

/** Answers each phase at once; in `implement` it waits for the file `go`, where there is a file `wait` beside the workspace's issues. */
const agent = `
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
const [phase] = (process.env.RALPH_TASK ?? '').split('-');
const isReview = readFileSync(0, 'utf8').includes('# Reviewer: one attempt');
const home = process.argv[2];
const answers = {
  research: { document: '# What is', files: ['part-' + process.env.RALPH_TASK] },
  plan: { document: '# The plan', phase_count: 1 },
  review: { verdict: 'APPROVED', document: '# Good' },
  implement: { status: 'completed', summary: ['did it'] },
  pr: { title: 'The change', body: 'What and why, as ' + process.pid + ' found it.' },
};
if (phase === 'implement' && !isReview) {
  while (existsSync(home + '/wait') && !existsSync(home + '/go')) await new Promise((done) => setTimeout(done, 50));
  const task = process.env.RALPH_TASK;
  if (process.argv[3] === 'apart') writeFileSync(task + '.txt', task + ' by ' + process.pid);
  else writeFileSync('a.txt', 'changed by ' + task);
}
console.log(JSON.stringify(isReview ? { verdict: 'Qualified' } : answers[phase]));
`;

/** A repository with one issue and an agent for its phases. `apart`: each task changes a file of its own, and otherwise each time. */
export const workspaceOf = (state: string, more = '', apart = false): string => {
  const workspace = workspaceWith({
    'agent.mjs': agent,
    'a.txt': 'a',
    '.ralph/issues/1.md': `---\ntitle: Change a\nstate: ${state}\n---\nPlease.\n`,
    '.gitignore': 'wait\ngo\n',
  });
  writeFileSync(
    join(workspace, '.ralph/config.yaml'),
    `agents: {own: {type: command, command: [node, ${join(workspace, 'agent.mjs')}, ${workspace}${apart ? ', apart' : ''}]}}\nroles: {executor: own}\nknowledge: {gate: never}\n${more}`,
  );
  personGit(workspace, 'init', '-q', '-b', 'main');
  personGit(workspace, 'add', '-A');
  personGit(workspace, '-c', 'user.name=kim', '-c', 'user.email=kim@host', 'commit', '-q', '-m', 'first');
  return workspace;
};
