/** @jsxImportSource hono/jsx */
import type { Viewer } from './layout.tsx';
import { ScopeWords } from './pages.tsx';

/** What came of a form, below it. */
export const saidFragment = (text: string, good: boolean): string =>
  (<span class={good ? 'good' : 'bad'}>{text}</span>).toString();

/** What a device may do, sent when a key has confirmed it. */
export const scopeFragment = (base: string, viewer: Pick<Viewer, 'name' | 'scope'>): string =>
  (<ScopeWords base={base} viewer={viewer} />).toString();

/** Instead of everything else on the page of a device that was revoked. */
export const goneFragment = (): string =>
  (<span>This device was revoked. Pair it again to come back.</span>).toString();
