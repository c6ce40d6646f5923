import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { encodePath } from '../../base/file-names.io.ts';
import type { GitAnswer, Listen, StayingGit } from '../git.ts';
import type { Patience } from './stall.ts';
import { endGroup, watchChild } from './watch-child.io.ts';

/** A process that nothing was asked of for so long ends. The next question starts another one. */
const idleMs = 2_000;

/** Pieces, of a pipe's size at most, of what git says of a failure. */
const mostPieces = 16;

/** What is needed from the git that runs one call. */
interface Starting {
  readonly start: () => ChildProcess;
  /** The answer when the process never ran. */
  readonly notStarted: (error: unknown) => GitAnswer;
  readonly mostBytes: number;
  /** For each question. */
  readonly patience: Patience;
}

/**
 * Keeps a git process for many questions. While no question is open it does not keep this program running, and it ends with it: its stdin closes
 * then.
 */
export const createStayingGit = (starting: Starting): StayingGit => {
  let kept: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = (): void => {
    clearTimeout(idle);
    kept?.stdin?.end();
    kept = null;
  };

  const running = (): ChildProcess => {
    if (kept !== null) return kept;
    const child = starting.start();
    kept = child;
    child.on('close', () => {
      if (kept === child) kept = null;
    });
    // git may end before it has read the question: its end tells of that.
    child.stdin?.on('error', () => {});
    return child;
  };

  const once = async (said: Question): Promise<GitAnswer | 'killed'> => {
    try {
      const child = running();
      const answer = await converse(child, said, starting);
      if (answer.code !== 0 && kept === child) kept = null;
      return child.signalCode !== null && answer.failure === 'other' ? 'killed' : answer;
    } catch (error) {
      return starting.notStarted(error);
    }
  };

  const ask = async (said: Question): Promise<GitAnswer> => {
    clearTimeout(idle);
    // Somebody ended the process, perhaps before the question. Each question may be asked twice.
    let answer = await once(said);
    if (answer === 'killed') answer = await once(said);
    idle = setTimeout(end, idleMs).unref();
    return answer === 'killed' ? none('other', 'git was killed') : answer;
  };

  return {
    ask: (question, ending, listen) => {
      const next = last.then(() => ask({ question, ending, listen }));
      last = next;
      return next;
    },
    end,
  };
};

const none = (failure: GitAnswer['failure'], error: string): GitAnswer => ({
  code: null,
  out: new Uint8Array(),
  error,
  failure,
});

interface Question {
  readonly question: string;
  readonly ending: string;
  readonly listen: Listen | undefined;
}

/** Writes one question and reads its answer, which ends with `ending`, or the end of the process. */
const converse = (
  child: ChildProcess,
  { question, ending, listen }: Question,
  { notStarted, mostBytes, patience }: Starting,
): Promise<GitAnswer> =>
  new Promise((resolve) => {
    const sign = Buffer.from(ending);
    const said: Buffer[] = [];
    const hearPiece = listen?.();
    // Only its end, where somebody hears the rest.
    let out: Buffer = Buffer.alloc(0);
    hold(child, true);
    const over = (answer: GitAnswer): void => {
      unwatch();
      child.stdout?.off('data', hear);
      child.stderr?.off('data', hearFault);
      child.off('close', close);
      child.off('error', fail);
      hold(child, false);
      resolve(answer);
    };
    const hear = (bytes: Buffer): void => {
      hearPiece?.(bytes);
      out = out.length === 0 ? bytes : Buffer.concat([out, bytes]);
      const isWhole = out.subarray(-sign.length).equals(sign);
      if (hearPiece !== undefined) out = Buffer.from(out.subarray(-sign.length));
      if (isWhole) over({ code: 0, out: out.subarray(0, -sign.length), error: '', failure: null });
      else if (out.length > mostBytes) {
        endGroup(child);
        over(none('answer-too-long', `git printed more than ${mostBytes} bytes`));
      }
    };
    const hearFault = (bytes: Buffer): void => {
      if (said.length < mostPieces) said.push(bytes);
    };
    const fail = (error: Error): void => over(notStarted(error));
    const close = (code: number | null): void => {
      const error = Buffer.concat(said).toString('utf8').trim() || 'git ended without an answer';
      over({ code: code === 0 ? null : code, out, error, failure: code ? null : 'other' });
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hearFault);
    child.on('close', close);
    child.on('error', fail);
    const unwatch = watchChild(child, patience, (why) => over(none('took-too-long', why)));
    child.stdin?.write(encodePath(question));
  });

/** Whether the process keeps this program running. */
const hold = (child: ChildProcess, isHeld: boolean): void => {
  for (const each of [child, child.stdin, child.stdout, child.stderr])
    if (each instanceof Socket || each === child) {
      if (isHeld) each.ref();
      else each.unref();
    }
};
