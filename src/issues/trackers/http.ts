/** An answer of a server, whatever its status. */
interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | null;
}

/** Posts JSON. Throws when no answer came: no network, no such host, no answer in time. Implementation: `http.io.ts`. */
export type PostJson = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
) => Promise<HttpAnswer>;
