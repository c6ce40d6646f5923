import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { PostJson } from './http.ts';
import { checkedBy, jsonFrom } from './program.ts';

export interface LinearApi {
  /** Runs one query or mutation. Throws a `FaultError` of one sentence. */
  readonly ask: <T>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    answer: z.ZodType<T>,
  ) => Promise<T>;
}

interface LinearAccess {
  readonly post: PostJson;
  readonly url: string;
  /** From the environment; never from a file of the workspace. */
  readonly key: string | undefined;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

const errorSchema = z.looseObject({
  message: z.string().optional(),
  extensions: z.looseObject({ code: z.string().optional(), type: z.string().optional() }).optional(),
});
const answerSchema = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(errorSchema).optional(),
});

/**
 * Linear's GraphQL API (linear.app/developers). Once a limit is used up it sends nothing until the time that Linear named: each refused request would
 * count as well.
 */
export const createLinearApi = ({ post, url, key, clock }: LinearAccess): LinearApi => {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return {
    ask: async (query, variables, answer) => {
      if (key === undefined || key === '')
        throw fault('tracker-login', 'LINEAR_API_KEY is not set', "create a key in Linear's settings");
      if (clock.monotonic() < quietUntil) throw limited();
      const response = await reached(post(url, { authorization: key }, { query, variables }));
      const reset = Number(response.header('x-ratelimit-requests-reset') ?? Number.NaN);
      const isLimited = response.status === 429 || /"RATELIMITED"/.test(response.text);
      if (isLimited || response.header('x-ratelimit-requests-remaining') === '0') {
        const wait = Number.isFinite(reset) ? reset - clock.now() : usualWaitMs;
        quietUntil = clock.monotonic() + Math.min(Math.max(wait, 1_000), longestWaitMs);
      }
      if (isLimited) throw limited();
      if (response.status >= 500)
        throw fault('tracker-failed', `Linear answered ${response.status}`, 'try again later');
      const { data, errors = [] } = jsonFrom('Linear', response.text, checkedBy(answerSchema));
      const [first] = errors;
      if (first !== undefined) throw refusalOf(first, response.status);
      return jsonFrom('Linear', JSON.stringify(data ?? null), checkedBy(answer));
    },
  };
};

const usualWaitMs = 60_000;
const longestWaitMs = 3_600_000;

const fault = (code: string, what: string, hint: string): FaultError => new FaultError({ code, what, hint });

const limited = (): FaultError =>
  fault('tracker-rate-limit', "Linear's rate limit is exhausted", 'try again later');

const reached = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch {
    // The reason may hold the address with the login.
    throw fault('tracker-failed', 'Linear cannot be reached', 'check the network');
  }
};

const refusalOf = ({ message = '', extensions }: z.infer<typeof errorSchema>, status: number): FaultError => {
  const code = extensions?.code ?? extensions?.type ?? '';
  if (status === 401 || /authentication/i.test(code))
    return fault('tracker-login', 'Linear rejected LINEAR_API_KEY', 'create a new key');
  if (/not.?found|INPUT_ERROR/i.test(`${code} ${message}`) && /entity|not found/i.test(message))
    return fault('issue-unknown', 'there is no such issue', 'see `ralph-tui issues`');
  return fault('tracker-failed', `Linear refused the request: ${message.slice(0, 200)}`, 'try again later');
};
