import { type CommandResult, describeResult, isHopeless } from '../../agents/command-result.ts';
import type { Fault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { Examined } from '../../changes/examined.ts';
import type { CommitHook } from '../../pipeline/changes/changes-state.ts';
import { bad, type Finding, good } from '../report/finding.ts';

/** What is odd about the repository, by the words of the session itself, and the hooks that no commit of a session passes. */
export const repositoryFindings = (
  { notes }: Pick<Examined, 'notes'>,
  hooks: readonly CommitHook[],
): readonly Finding[] => [
  ...notes.map(({ kind, sentence }) => good(kind, safe(sentence))),
  ...hooks.map(({ name, runs }) =>
    good(
      `hook ${name}`,
      runs === null ? 'no commit of a session runs it' : `no commit of a session runs it (\`${safe(runs)}\`)`,
      'name what it checks in `verify`, or run it before you merge',
    ),
  ),
];

/** The `verify` commands of a task before its work. To fail there is right for most; what would fail whatever the work is, is not. */
export const verifyFinding = (task: string, results: readonly CommandResult[]): Finding => {
  const check = `verify ${safe(task)}`;
  const failed = results.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first === undefined) return good(check, 'passes before the work');
  const lacking = failed.find(({ withheld = [] }) => withheld.length > 0);
  const [name] = lacking?.withheld ?? [];
  if (lacking !== undefined && name !== undefined)
    return bad(
      check,
      safe(describeResult(lacking)),
      `${lacking.withheld?.map(safe).join(', ')} would not reach it`,
      `name it in \`env\` of the command: \`env: {${safe(name)}: "\${${safe(name)}}"}\``,
    );
  const hopeless = failed.find(isHopeless);
  if (hopeless !== undefined)
    return bad(
      check,
      safe(describeResult(hopeless)),
      'it cannot start',
      'install the program or let `worktree.setup` do it; ignore this if the task itself makes it',
    );
  return good(
    check,
    `fails before the work: ${safe(describeResult(first))}`,
    'right if the task makes it pass',
  );
};

/** `at`: what becomes of the session's branch; only a pull request needs the push. */
export const pushFinding = (
  tried: { readonly remote: string | null } | { readonly fault: Fault },
  isNeeded: boolean,
): Finding => {
  if ('remote' in tried) {
    if (tried.remote !== null) return good('push', `${safe(tried.remote)} would take a branch`);
    const none = 'there is no remote';
    return isNeeded
      ? bad('push', none, 'a pull request needs one', 'add it with `git remote add`')
      : good('push', none);
  }
  const { what, hint } = tried.fault;
  return isNeeded
    ? bad(
        'push',
        safe(what),
        'no pull request could be opened',
        safe(hint ?? 'try it with `git push --dry-run`'),
      )
    : good('push', safe(what), 'only a pull request needs it');
};
