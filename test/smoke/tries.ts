import { type Place, type Ran, runIn } from './place.ts';

/** One thing that works right after the installation, and what it printed when it did not. */
export interface Try {
  readonly name: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly wanted: RegExp;
  /** By default 0. */
  readonly codes?: readonly number[];
}

const line = (method: string, params: object, id?: number): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })}\n`;

const greeting = [
  line(
    'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } },
    1,
  ),
  line('notifications/initialized', {}),
  line('tools/list', {}, 2),
].join('');

/** What needs no second. */
export const quickTries: readonly Try[] = [
  { name: '--version', args: ['--version'], wanted: /^\d+\.\d+\.\d+\n$/ },
  { name: '--help', args: ['--help'], wanted: /Exit codes/ },
  // Without git or a writable folder it says so and exits with 1.
  { name: 'doctor', args: ['doctor'], wanted: /agents {2,}/, codes: [0, 1] },
  { name: 'completion', args: ['completion', 'bash'], wanted: /_ralph_tui/ },
];

/** Issues are worked on in worktrees: where git cannot run, one sentence says so. */
const mergedOrNoGit =
  /merged from ralph\/2|could not be committed: git (?:is not installed|needs a directory)/;

/** All sessions of `demo`: real sessions of the installed program. `mcp` follows, which needs one. */
export const demoTries: readonly Try[] = [
  { name: 'demo', args: ['demo'], wanted: /10 of 10 tasks done/ },
  { name: 'demo loop', args: ['demo', 'loop'], wanted: /The sample project is in/ },
  { name: 'demo hero', args: ['demo', 'hero'], wanted: mergedOrNoGit, codes: [0, 1] },
  { name: 'demo team', args: ['demo', 'team'], wanted: mergedOrNoGit, codes: [0, 1] },
  { name: 'demo skill', args: ['demo', 'skill'], wanted: /The sample project is in/, codes: [0, 1, 3] },
];

export const mcpTry: Try = { name: 'mcp', args: ['mcp'], input: greeting, wanted: /"tools":\[/ };

export const tryIn = async (
  place: Place,
  { args, input, wanted, codes = [0] }: Try,
): Promise<string | null> => {
  const ran = await runIn(place, ['ralph-tui', ...args], input);
  return codes.includes(ran.code ?? -1) && wanted.test(ran.out) ? null : saying(ran);
};

export const saying = ({ code, out }: Ran): string => `exit ${code}: ${out.trim().slice(-600)}`;
