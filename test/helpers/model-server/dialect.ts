import type { DeclaredTool, DialectName } from './script.ts';

/** A request body, read as far as a script needs it. */
export interface ReadRequest {
  readonly latest: string;
  readonly whole: string;
  readonly tools: readonly DeclaredTool[];
  /** The agent's own business (a title, a summary, a check): a JSON schema for the answer, or `true` for any text. */
  readonly side: unknown;
  /** The agent wants no stream. */
  readonly inOnePiece?: boolean;
}

/** Frames of one reply; each method gives what goes over the wire. */
export interface ReplyWriter {
  readonly begin: () => string;
  readonly text: (text: string) => string;
  readonly call: (
    tool: DeclaredTool,
    input: Readonly<Record<string, unknown>> | string,
    id?: string,
  ) => string;
  readonly search: (query: string) => string;
  readonly end: () => string;
}

/** The wire format of one vendor. */
export interface Dialect {
  readonly name: DialectName;
  /** Matches the URL of its requests. */
  readonly path: RegExp;
  readonly read: (body: unknown) => ReadRequest;
  /** Server-sent events. */
  readonly stream: () => ReplyWriter;
  /** A reply in one piece. */
  readonly whole: (text: string) => object;
  readonly failure: (status: number) => object;
}

/** One server-sent event. */
export const sse = (data: object, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

export const sentences: Readonly<Record<number, string>> = {
  401: 'The API key is not valid.',
  429: 'The quota is exhausted.',
  500: 'The model is overloaded.',
};
