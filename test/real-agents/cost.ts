import { Buffer } from 'node:buffer';
import type { ModelRequest } from '../helpers/model-server/script.ts';

/** What work costs in model requests and bytes of prompts. */
export interface Cost {
  readonly requests: number;
  /** Of these, a title, a choice of the model or the like, which the agent asks for by itself. */
  readonly side: number;
  readonly bytes: number;
  readonly seconds: number;
}

export const costOf = (asked: readonly ModelRequest[], began: number): Cost => {
  // How often a tool is searched for before its server has started is the machine's affair.
  const requests = asked.filter(({ kind }) => kind !== 'again');
  return {
    requests: requests.length,
    side: requests.filter(({ kind }) => kind === 'side').length,
    bytes: requests.reduce((sum, { whole }) => sum + Buffer.byteLength(whole), 0),
    seconds: (Date.now() - began) / 1_000,
  };
};

export const costRow = (agent: string, what: string, { requests, side, bytes, seconds }: Cost): string =>
  `${agent} ${what}: ${requests} requests, ${side} of them its own, ${Math.round(bytes / 1_000)} kB of prompts, ${seconds.toFixed(1)} s`;
