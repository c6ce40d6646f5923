import type { Credential, Device } from './device.ts';
import { type Parts, type RouteName, routeOf } from './routes.ts';
import { covers } from './scope.ts';

/** Bytes of a body. */
const largestBody = 65_536;

/** What a request says about itself, before anything of it is believed. */
export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  readonly contentType: string | undefined;
  /** `Content-Length`. */
  readonly length: string | undefined;
  readonly credential: Credential;
  /** Whether it brings the token of a page that this device was shown. */
  readonly hasPageToken: boolean;
}

/** Where `serve` listens and what it is called. */
export interface Place {
  readonly port: number;
  /** The random part of the path. */
  readonly path: string;
  /** One further name by which it is reached (`serve.url`); `null` without. */
  readonly host: string | null;
}

export type Admitted =
  | { readonly kind: 'in'; readonly route: RouteName; readonly parts: Parts; readonly device: Device | null }
  | {
      readonly kind: 'refused';
      readonly status: 400 | 401 | 403 | 404 | 405 | 411 | 413 | 415;
      readonly why: string;
    };

/**
 * Whether a request is answered. Everything is checked on each request: the host, so that no other name leads here; the origin, so that no other page
 * speaks for this one; then the path, the device, and of a change its form, its size and the token of the page.
 */
export const admit = (asked: Asked, place: Place): Admitted => {
  const { method, path, host, origin, site, credential } = asked;
  if (host === undefined || !hostsOf(place).includes(host))
    return refused(403, 'This host name is not served here.');
  if (origin !== undefined && !originsOf(place).includes(origin))
    return refused(403, 'Another page may not ask this.');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refused(403, 'Another page may not ask this.');
  const below = path.startsWith(`/${place.path}/`) ? path.slice(place.path.length + 1) : null;
  const routed = below === null ? ({ kind: 'none' } as const) : routeOf(method, below);
  if (routed.kind === 'none') return refused(404, 'There is nothing here.');
  if (routed.kind === 'method') return refused(405, 'This address does not take this method.');
  const { route, parts } = routed;
  const device = credential.kind === 'device' ? credential.device : null;
  if (route.needs !== null && device === null) return refused(401, unknownWords[credential.kind] ?? '');
  if (route.needs !== null && device !== null && !covers(device.scope, route.needs))
    return refused(403, `This device may only ${device.scope}.`);
  if (method === 'POST') {
    const fault = changeFault(asked, route.needs !== null);
    if (fault !== null) return fault;
  }
  return { kind: 'in', route: route.name, parts, device };
};

const changeFault = (
  { origin, contentType, length, hasPageToken }: Asked,
  needsToken: boolean,
): Admitted | null => {
  if (origin === undefined) return refused(403, 'A change must say which page asks for it.');
  if (contentType?.split(';', 1)[0]?.trim() !== 'application/x-www-form-urlencoded')
    return refused(415, 'A change must be sent as a form (application/x-www-form-urlencoded).');
  if (length === undefined || !/^\d{1,9}$/.test(length))
    return refused(411, 'A change must say how long it is.');
  if (Number(length) > largestBody) return refused(413, `A change may be at most ${largestBody} bytes long.`);
  return needsToken && !hasPageToken ? refused(403, 'This page is out of date: load it again.') : null;
};

const unknownWords: { readonly [kind in Credential['kind']]?: string } = {
  none: 'This device is not paired.',
  unknown: 'This device is not paired any more.',
  expired: 'This device was paired too long ago: pair it again.',
};

const refused = (status: Extract<Admitted, { kind: 'refused' }>['status'], why: string): Admitted => ({
  kind: 'refused',
  status,
  why,
});

const hostsOf = ({ port, host }: Place): readonly string[] => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
  ...(host === null ? [] : [host]),
];

/** A name of its own is reached through a proxy that may speak https. */
const originsOf = (place: Place): readonly string[] =>
  hostsOf(place).flatMap((host) =>
    host === place.host ? [`https://${host}`, `http://${host}`] : [`http://${host}`],
  );
