import type { Fault } from '../../base/fault.ts';
import { list } from '../../base/sentence.ts';
import type { Finding } from '../report/finding.ts';
import type { Trial } from './trial-witness.ts';
import { bad, seconds, type Tried } from './trial-words.ts';

/** Why there is no answer to judge, or `null`. */
export const failureOf = (tried: Tried, trial: Trial): Finding | null => {
  if (trial.lateMs !== null) return late(tried, trial, trial.lateMs);
  if (trial.fault !== null) return faulty(tried, trial, trial.fault);
  if (trial.stop === 'refusal')
    return bad(
      tried,
      'answer',
      'a refusal',
      'the model refused to answer a harmless question',
      'choose another model for this agent',
    );
  if (trial.said.trim() !== '') return null;
  return bad(
    tried,
    'answer',
    'nothing',
    'it ended its turn without any text',
    `try a prompt in its own program${programOf(tried)}: what fails there also fails here`,
  );
};

const late = (tried: Tried, { identity }: Trial, ms: number): Finding => {
  const hint = `some agents silently retry after a failed login or when their quota is used up: try a prompt in the agent's own program${programOf(tried)}`;
  return identity === null && tried.profile !== null
    ? bad(
        tried,
        'start',
        'no session',
        `it was not ready within ${seconds(ms)}`,
        `${hint}, or allow more time with --timeout`,
      )
    : bad(
        tried,
        'answer',
        'none in time',
        `its reply did not end within ${seconds(ms)}`,
        `${hint}, or allow more time with --timeout`,
      );
};

/** The check that a fault belongs to, by its code. */
const checkOf: Readonly<Record<string, string>> = {
  'agent-login': 'login',
  'agent-quota': 'quota',
  'agent-refused': 'answer',
  'agent-failed': 'answer',
};

const faulty = (tried: Tried, trial: Trial, fault: Fault): Finding => {
  const check = checkOf[fault.code] ?? (trial.identity === null ? 'start' : 'answer');
  return bad(tried, check, found[check] ?? 'no', fault.what, hintOf(tried, fault));
};

const found: Readonly<Record<string, string>> = {
  login: 'not logged in',
  quota: 'used up',
  start: 'no session',
  answer: 'none',
};

const hintOf = (tried: Tried, { code, hint }: Fault): string => {
  const { name, withheld } = tried;
  switch (code) {
    case 'agent-login': {
      const names =
        withheld.length === 0
          ? ''
          : `; it did not get ${list(withheld, withheld.length)}: agents.${name}.pass_env must list what it needs`;
      return `${hint ?? 'log in with its own program'}${names}`;
    }
    case 'agent-quota':
      return 'wait until the quota resets, or name another agent under roles';
    // Their usual hint names a log that is gone with the trial's directory.
    case 'agent-ended':
    case 'agent-hangs':
    case 'agent-connection':
    case 'agent-refused':
    case 'agent-failed':
      return `try a prompt in its own program${programOf(tried)}: what fails there also fails here`;
    default:
      return hint ?? `see agents.${name} in the configuration`;
  }
};

const programOf = ({ profile }: Tried): string =>
  profile === null
    ? ''
    : profile.login === null
      ? `, \`${profile.command[0]}\``
      : ` (login: \`${profile.login}\`)`;
