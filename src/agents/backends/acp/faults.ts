import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { type Fault, FaultError } from '../../../base/fault.ts';
import type { ChildExit } from '../../../base/process/spawn.ts';
import type { TurnResult } from '../../port.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import { quotaEnd } from '../../quota/quota-end.ts';
import { exitClause } from '../exit-text.ts';
import type { AgentLog } from './agent-log.ts';
import type { Said } from './replies.ts';

/** The profile fields that faults name. Each fault is one sentence with what to do (src/agents/README.md, Dependencies and profiles). */
type Known = Pick<AgentProfile, 'name' | 'label' | 'command' | 'install' | 'login'>;

const programOf = ({ command }: Known): string => command[0] ?? '';

/** The agent's process ended while it was needed, or never began. */
export const goneFault = (profile: Known, exit: ChildExit): Fault => {
  if (exit.kind === 'not-started') return notFoundFault(profile, exit.reason);
  return {
    code: 'agent-ended',
    what: `${profile.label} ${exitClause(exit)}`,
    where: profile.name,
    hint: `run \`${profile.command.join(' ')}\` in a terminal to see why`,
  };
};

/** The agent's program is not there. */
const notFoundFault = (profile: Known, reason: string): Fault => ({
  code: 'agent-not-found',
  what: `${profile.label} cannot be started: ${reason}`,
  where: profile.name,
  hint: profile.install
    ? `install it with \`${profile.install.command}\` (about ${profile.install.megabytes} MB)`
    : `put \`${programOf(profile)}\` on the PATH, or name its path in agents.${profile.name}.command`,
});

/** The agent started and does not answer. */
export const hangsFault = (profile: Known, ms: number): Fault => ({
  code: 'agent-hangs',
  what: `${profile.label} has not answered for ${Math.round(ms / 1_000)} s`,
  where: profile.name,
  hint: `run \`${profile.command.join(' ')}\` in a terminal: it should wait for input and print nothing`,
});

/** The agent speaks another version of the protocol. */
export const oldProtocolFault = (profile: Known, version: number): Fault => ({
  code: 'agent-protocol',
  what: `${profile.label} speaks version ${version} of the Agent Client Protocol, but this program speaks version 1`,
  where: profile.name,
  hint: profile.install
    ? `install the tested version: \`${profile.install.command}\``
    : 'use a different version',
});

/** ACP's code for "authentication required". */
const authRequired = -32_000;
const unauthorized = 401;

const loginFault = (profile: Known, why: string, first = ''): Fault => ({
  code: 'agent-login',
  what: `${profile.label} is not logged in${why}`,
  where: profile.name,
  hint:
    first +
    (profile.login === null
      ? `log in with the agent's own command, then try again; set agents.${profile.name}.login to have it shown here`
      : `run \`${profile.login}\` in a terminal, then try again`),
});

/** The reply, if its model gave it. Throws a `FaultError` for one by which an agent says that its login is missing. */
export const ofModel = (profile: Known & Pick<AgentProfile, 'lacksLogin'>, said: Said): Said => {
  const { text, stop, tokens } = said;
  const words = text.trim();
  if (stop !== 'end_turn' || tokens !== null || profile.lacksLogin?.test(words) !== true) return said;
  const pass = `pass the variable with agents.${profile.name}.pass_env, or `;
  throw new FaultError(loginFault(profile, `: ${firstLine(words).replace(/\.$/u, '')}`, pass));
};

/** The agent answered a request with an error. */
export const refusedFault = (
  profile: Known,
  method: string,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): Fault => {
  if (error.code === authRequired) return loginFault(profile, '');
  // Gemini passes on the HTTP status of its model's server.
  if (error.code === unauthorized) return loginFault(profile, ': its key or login was refused (401)');
  return {
    code: isQuota(error) ? 'agent-quota' : 'agent-refused',
    what: `${profile.label} answered ${method} with an error: ${firstLine(detailOf(error))} (${error.code})`,
    where: profile.name,
  };
};

/**
 * HTTP's "too many requests", or an adapter's own field for a used-up limit; without a field, how the adapter's own sentence begins. Only the error
 * reply to a request counts, never what an agent writes in its work (src/engine/README.md, Failure policy).
 */
const isQuota = ({
  code,
  message,
  data,
}: Parameters<typeof detailOf>[0] & { readonly code: number }): boolean =>
  code === 429 ||
  quotaSchema.safeParse(data).success ||
  (code === internalError && quotaBeginning.test(detailOf({ message, data })));

/** JSON-RPC's code for "internal error". */
const internalError = -32_603;

/** `codexErrorInfo` is a word, or an object with the HTTP status. `errorKind` is Claude's. */
const quotaSchema = z.union([
  z.object({ codexErrorInfo: z.enum(['usageLimitExceeded', 'rateLimitExceeded']) }),
  z.object({ codexErrorInfo: z.record(z.string(), z.object({ httpStatusCode: z.literal(429) })) }),
  z.object({ errorKind: z.enum(['rate_limit', 'billing_error']) }),
]);

/** How Claude, Codex, Gemini and Qwen begin the sentence for it, after the protocol's own "Internal error: ". */
const quotaBeginning =
  /^(?:Internal error: )?(?:You['’]ve hit your (?:\w+ )?limit\b|You have exhausted your (?:daily quota|capacity) on this model|Quota exceeded\.|Qwen OAuth quota exceeded:|Rate limit exceeded\. Try again later)/u;

/** Agents send "Internal error" as the message and the details in `data`. */
const detailOf = ({ message, data }: { readonly message: string; readonly data?: unknown }): string => {
  const { details, message: inner } = detailsSchema.parse(data);
  const more = typeof data === 'string' ? data : (details ?? inner ?? '');
  return more === '' ? message : `${message}: ${more}`;
};

/** Gemini sends `details`, Codex `message`. */
const detailsSchema = z
  .object({
    details: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
  })
  .catch({});

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 300);

/** The agent's answer does not follow the protocol. */
export const oddAnswerFault = (profile: Known, method: string): Fault => ({
  code: 'agent-answer',
  what: `${profile.label} sent an unexpected reply to ${method}`,
  where: profile.name,
  hint: profile.install
    ? `install the tested version: \`${profile.install.command}\``
    : 'use a different version',
});

/** The agent sent a message beyond what is read of one. */
export const oddMessageFault = (profile: Known, what: string): Fault => ({
  code: 'agent-message',
  what: `${profile.label} sent ${what}, which ended its turn`,
  where: profile.name,
  hint: 'try again, or use a different version',
});

/** The connection broke without an error, and the process still runs. */
export const brokenPipe = (profile: Known, error: unknown): Fault => ({
  code: 'agent-connection',
  what: `the connection to ${profile.label} broke: ${firstLine(error instanceof Error ? error.message : String(error))}`,
  where: profile.name,
});

/** The fault with what the agent said last and where the rest of it stands, where its end or its silence left us without a reason. */
export const withLog = (fault: Fault, log: Pick<AgentLog, 'file' | 'last'>): Fault => {
  if (!['agent-ended', 'agent-hangs', 'agent-connection'].includes(fault.code)) return fault;
  const last = log.last();
  if (last === '') return fault;
  const hint = `its own log is ${log.file} in the session directory`;
  return {
    ...fault,
    what: `${fault.what}, after "${last}"`,
    hint: fault.hint === undefined ? hint : `${fault.hint}; ${hint}`,
  };
};

/** A used-up quota holds the dispatch until the time that the agent names. Without one the pipeline waits longer after each report. */
export const failedTurn = (fault: Fault, clock: Pick<Clock, 'now' | 'offsetMinutes'>): TurnResult =>
  fault.code === 'agent-quota'
    ? { kind: 'failed', fault, quotaUntil: quotaEnd(fault.what, clock) }
    : { kind: 'failed', fault };
