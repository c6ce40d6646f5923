import { profiles } from '../../../agents/profiles/index.ts';
import type { AgentProfile } from '../../../agents/profiles/profile.ts';
import type { Topic } from './topic.ts';

/** The agents with a profile, and how to add another. */
export const agents: Topic = {
  name: 'agents',
  summary: 'the coding agents that work here, and how to add one',
  sections: () => [
    {
      kind: 'text',
      text: '`--agent NAME` assigns every role to one agent, regardless of `roles` in the configuration; with a plan, the Planner stays `script`, which reads the plan. `roles` assigns an agent to each role. Agents use the login of their own program, and their vendor’s terms apply.',
    },
    { kind: 'table', rows: [head, ...profiles.filter(isForPeople).map(rowOf)] },
    {
      kind: 'text',
      text: 'Any other agent that speaks the Agent Client Protocol needs an entry in the configuration: `agents: {mine: {type: acp, command: [my-agent, --acp]}}`. A program that takes a prompt and prints an answer needs `agents: {mine: {type: command, command: [my-agent]}}`; it gets the prompt on stdin, or as set by `prompt: argument` or `prompt: file`.',
    },
    {
      kind: 'text',
      text: '`env: {NAME: value}` in an entry sets environment variables for its agent, and `pass_env: [NAME]` passes variables from your shell, e.g. `agents: {gemini: {type: acp, profile: gemini, env: {GOOGLE_CLOUD_PROJECT: mine}, pass_env: [GEMINI_API_KEY]}}`. `profile` takes everything else from the agent of that name. Variables that make other programs run arbitrary code (`LD_PRELOAD`, `NODE_OPTIONS`, …) are refused.',
    },
    {
      kind: 'text',
      text: '`fallback: NAME` in an entry names the agent that takes over while this one’s quota is used up, e.g. `agents: {gemini: {type: acp, profile: gemini, fallback: codex}}`: the task starts over with that agent in a new attempt that counts toward no limit, and returns to its original agent once the quota is available again. Without a fallback, the session waits until then; `R` on the screen, or `ralph-tui signal RESUME`, retries at once.',
    },
    {
      kind: 'text',
      text: 'A `claude` or `codex` on the PATH is used without an adapter, too, in its print mode: `claude -p` and `codex exec`, with flags that fit `permissions` (`ask`: reads only; `edits` and `workspace`: edits; `all`: everything; where nothing is set it edits, once you have accepted that). Their streams report text, thoughts, tool calls, the plan, tokens and, with Claude Code, the cost. Such a program cannot ask, and a message reaches it as a new prompt after its reply; a sentence says so before the start. The adapter is used as soon as it is installed. With runners in the configuration, which may have the adapter, only an entry of your own does this: `agents: {cc: {type: command, command: [claude, -p, --output-format, stream-json, --verbose, --permission-mode, acceptEdits], output: claude}}` or `agents: {cx: {type: command, command: [codex, exec, --json, "-"], output: codex}}`.',
    },
  ],
};

/** The example agent needs neither an installation nor a login. */
const isForPeople = ({ install, login }: AgentProfile): boolean => install !== null || login !== null;

const head = [
  'name',
  'agent',
  'install',
  'log in',
  'does without asking',
  'after a restart',
  'loads from the repository',
];

const rowOf = (profile: AgentProfile): readonly string[] => [
  `\`${profile.name}\``,
  profile.label,
  profile.install === null
    ? 'see its documentation'
    : `\`${profile.install.command}\` (about ${profile.install.megabytes} MB)`,
  profile.login === null ? 'none' : `\`${profile.login}\``,
  profile.unenforced ?? 'nothing that a permission covers',
  profile.resume === 'none' ? 'a new session with a summary' : 'its own session is reopened',
  profile.loads.map((file) => `\`${file}\``).join(', '),
];
