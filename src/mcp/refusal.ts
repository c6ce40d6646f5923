/** The parts of an HTTP request that decide its admission. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** `Content-Length` as sent. */
  readonly length: string | undefined;
}

/** A status and one sentence for the client. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** The largest accepted body, in bytes: 1 MiB holds any outcome and document that the tools accept. */
export const largestBody = 1_048_576;

/** The only path of the server. */
export const toolsPath = '/mcp';

/**
 * The reason to refuse a request before reading its body (test/README.md, Hostile input), or `null`. Checks Host and Origin against DNS
 * rebinding: a page in a browser can reach a loopback port, but not with our name. `knows` tells whether a token is valid.
 */
export const refusalOf = (
  request: Request,
  port: number,
  knows: (token: string) => boolean,
): Refusal | null => {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!own.includes(request.host ?? '')) return { status: 403, message: 'The Host header is not allowed.' };
  if (request.origin !== undefined && !own.some((name) => request.origin === `http://${name}`))
    return { status: 403, message: 'The Origin header is not allowed.' };
  const token = bearerOf(request.authorization);
  if (token === null) return { status: 401, message: 'The header "Authorization: Bearer …" is missing.' };
  if (!knows(token)) return { status: 401, message: 'The token is wrong, or its worker has ended.' };
  if (request.path !== toolsPath) return { status: 404, message: `Only ${toolsPath} is served.` };
  if (!['GET', 'POST', 'DELETE'].includes(request.method))
    return { status: 405, message: 'Only GET, POST and DELETE are served.' };
  if (Number(request.length ?? '0') > largestBody)
    return { status: 413, message: `A request body may be at most ${largestBody} bytes long.` };
  return null;
};

/** The token of `Bearer TOKEN`, or `null`. */
export const bearerOf = (authorization: string | undefined): string | null =>
  /^Bearer ([\w-]+)$/iu.exec(authorization ?? '')?.[1] ?? null;
