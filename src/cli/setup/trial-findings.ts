import type { Finding } from '../report/finding.ts';
import { failureOf } from './trial-failure.ts';
import { wantedAnswers } from './trial-turn.ts';
import type { Trial } from './trial-witness.ts';
import { bad, good, seconds, type Tried, whereOf } from './trial-words.ts';

/** The findings of one turn, in the order in which things can go wrong. What comes after a failure is left out. */
export const trialFindings = (tried: Tried, trial: Trial): readonly Finding[] => [
  good(tried, 'tried', whereOf(tried)),
  ...turnFindings(tried, trial),
];

const turnFindings = (tried: Tried, trial: Trial): readonly Finding[] => {
  const failed = failureOf(tried, trial);
  if (failed !== null) return [...startOf(tried, trial), failed, ...leftOver(tried, trial)];
  const answered = answerOf(tried, trial);
  // Some agents say an error of the model as their reply: nothing else was tried then.
  if (!answered.ok && !trial.calledTool)
    return [...startOf(tried, trial), answered, ...leftOver(tried, trial)];
  return [
    ...startOf(tried, trial),
    good(tried, 'login', 'its model answered, so the login works'),
    answered,
    ...(tried.profile === null
      ? [good(tried, 'tools', 'a command agent gets none; it reports with its answer')]
      : [toolsOf(tried, trial)]),
    messagesOf(tried, trial),
    usageOf(tried, trial),
    ...leftOver(tried, trial),
  ];
};

const startOf = (tried: Tried, { startMs, identity }: Trial): readonly Finding[] => {
  if (identity === null || startMs === null) return [];
  const parts = [
    `ready after ${seconds(startMs)}`,
    ...(identity.version === undefined ? [] : [`version ${identity.version}`]),
    ...(identity.model === undefined ? [] : [`model ${identity.model}`]),
    ...(identity.mode === undefined ? [] : [`mode ${identity.mode}`]),
  ];
  return [good(tried, 'start', parts.join(', '))];
};

const answerOf = (tried: Tried, { said, replyMs, stop }: Trial): Finding => {
  const after = replyMs === null ? '' : ` after ${seconds(replyMs)}`;
  if (holds(said, wantedAnswers.prompt)) return good(tried, 'answer', `right${after}`);
  const needed = tried.withheld.find((name) => said.includes(name));
  if (needed !== undefined)
    return bad(
      tried,
      'answer',
      'none',
      `it needs ${needed}, which agents get only if you pass it on`,
      passHint(tried, needed),
    );
  const words = said.trim().replaceAll(/\s+/g, ' ').slice(-160);
  return bad(
    tried,
    'answer',
    `"${words}"${after}`,
    stop === 'max_tokens'
      ? 'the model reached its token limit'
      : 'its reply does not contain the sum of 19 and 23',
    `if the model is at fault, choose another one: \`models: {executor: NAME}\``,
  );
};

const passHint = ({ name, configured }: Tried, variable: string): string =>
  configured
    ? `add it to agents.${name}.pass_env`
    : `pass it: \`agents: {${name}: {type: acp, profile: ${name}, pass_env: [${variable}]}}\``;

const toolsOf = (tried: Tried, { calledTool, listedTools, identity }: Trial): Finding => {
  if (calledTool) return good(tried, 'tools', 'it called one of ours');
  if (identity?.reach === 'turn-end')
    return bad(
      tried,
      'tools',
      'none',
      'it does not support MCP servers over HTTP',
      'it works without them, but messages wait for the end of each reply; see whether a newer version supports MCP over HTTP',
    );
  if (!listedTools) return notConnected(tried);
  return bad(
    tried,
    'tools',
    'not called',
    'it did not call the ralph-tui tool, although the prompt asked it to',
    'check whether its own settings or rules block MCP servers; it works without them, but messages and reports arrive later',
  );
};

const notConnected = (tried: Tried): Finding => {
  const folder =
    tried.worktrees === null ? '' : `, and trust the folder that holds all worktrees, ${tried.worktrees}`;
  return bad(
    tried,
    'tools',
    'not connected',
    `${whereOf(tried)}, it never asked for the list of ralph-tui tools`,
    `its own settings or folder trust may block MCP servers: allow the server "ralph" there${folder}; the agent works without the server, but has no ask_person and gets messages only after its reply`,
  );
};

const messagesOf = (tried: Tried, { arrived, said, identity, calledTool }: Trial): Finding => {
  const reach = identity?.reach ?? 'turn-end';
  if (reach === 'turn-end')
    return good(tried, 'messages', 'they wait for the end of its reply and arrive with the next prompt');
  const wanted = reach === 'steering' || reach === 'second-prompt' ? 'injected' : 'tool-result';
  if (arrived === null)
    return bad(
      tried,
      'messages',
      'not tried',
      calledTool
        ? 'it did not take the message while it worked'
        : 'it called no ralph-tui tool, so there was no chance to deliver a message',
      'messages still arrive with its next prompt',
    );
  const how = `a message reached it ${ways[arrived === 'injected' ? reach : 'tool-result']}`;
  if (!holds(said, wantedAnswers.message))
    return bad(
      tried,
      'messages',
      how,
      'its answer does not show that it read the message',
      'try again; if this persists, it reads messages only with its next prompt',
    );
  return arrived === wanted || reach === 'pull'
    ? good(tried, 'messages', `${how} while it worked, and it obeyed`)
    : good(tried, 'messages', `${how}, not ${ways[reach]}, and it obeyed`);
};

const ways = {
  steering: 'through its steering extension',
  'cutting-steering': 'through its steering extension',
  pull: 'between two tool calls',
  'second-prompt': 'as a second prompt',
  'tool-result': 'with the result of a ralph-tui tool',
} as const;

const usageOf = (tried: Tried, { tokens, cost }: Trial): Finding => {
  const used = tokens === null ? 'tokens not reported' : `${tokens.input} tokens in, ${tokens.output} out`;
  return good(
    tried,
    'usage',
    `${used}; ${cost === null ? 'cost not reported, so limits.max_cost cannot limit it' : `cost ${cost.amount} ${cost.currency}`}`,
  );
};

const leftOver = (tried: Tried, { unverified }: Trial): readonly Finding[] =>
  unverified.length === 0
    ? []
    : [
        bad(
          tried,
          'end',
          'could not verify',
          `${unverified.length === 1 ? 'a process may still be running: pid' : 'processes may still be running: pids'} ${unverified.join(', ')}`,
          unverified.length === 1 ? 'end it by hand' : 'end them by hand',
        ),
      ];

/** Whether a number appears in a text as a word of its own. */
const holds = (text: string, number: string): boolean => new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text);
