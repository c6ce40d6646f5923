import type { Scope } from './scope.ts';

/** One kind of request that is answered. Everything else is a 404. */
export interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Below the random path. `:x` stands for one part, which reaches a map and never a file name. */
  readonly path: string;
  /** `null`: without a device, too. Actions of `act` may need more (`scopeOf` in act/action.ts). */
  readonly needs: Scope | null;
}

/** Every route. A device is asked for wherever anything of a session is shown or changed. */
export const routes = [
  { name: 'style', method: 'GET', path: '/web/style.css', needs: null },
  { name: 'script', method: 'GET', path: '/web/:script', needs: null },
  { name: 'pair-page', method: 'GET', path: '/pair', needs: null },
  { name: 'pair', method: 'POST', path: '/pair', needs: null },
  { name: 'sessions', method: 'GET', path: '/', needs: 'watch' },
  { name: 'push', method: 'POST', path: '/push', needs: 'watch' },
  { name: 'session', method: 'GET', path: '/s/:session', needs: 'watch' },
  { name: 'events', method: 'GET', path: '/s/:session/events', needs: 'watch' },
  { name: 'task', method: 'GET', path: '/s/:session/task/:task', needs: 'watch' },
  { name: 'plan', method: 'GET', path: '/s/:session/plan/:request', needs: 'watch' },
  { name: 'act', method: 'POST', path: '/s/:session/act', needs: 'steer' },
] as const satisfies readonly Route[];

export type RouteName = (typeof routes)[number]['name'];

/** The parts of a path that stand for something. */
export type Parts = Readonly<Record<string, string>>;

export type Routed =
  | { readonly kind: 'route'; readonly route: Route & { readonly name: RouteName }; readonly parts: Parts }
  | { readonly kind: 'none' }
  /** The path exists, for another method. */
  | { readonly kind: 'method' };

/** The route of a request whose path is below `/<random>`; a part that is not decodable fits none. */
export const routeOf = (method: string, path: string): Routed => {
  let isOther = false;
  for (const route of routes) {
    const parts = partsOf(route.path, path);
    if (parts === null) continue;
    if (route.method === method) return { kind: 'route', route, parts };
    isOther = true;
  }
  return { kind: isOther ? 'method' : 'none' };
};

const partsOf = (pattern: string, path: string): Parts | null => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const parts: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const part = decoded(given[index] ?? '');
    if (part === null) return null;
    if (want.startsWith(':') && part !== '') parts[want.slice(1)] = part;
    else if (want !== part) return null;
  }
  return parts;
};

const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
};
