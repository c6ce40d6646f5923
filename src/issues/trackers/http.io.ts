import type { PostJson } from './http.ts';

const timeoutMs = 30_000;

/** Posts JSON with `fetch`. Follows no redirect, so that a login never reaches another host. */
export const postJson: PostJson = async (url, headers, body) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { status } = response;
  return { status, text: await response.text(), header: (name) => response.headers.get(name) };
};
