/** @jsxImportSource hono/jsx */
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Scope } from '../access/scope.ts';
import { Outcome } from './form.tsx';

/** Of every answer: only what this program serves is loaded, no script stands in a page, and no form is sent without script. */
export const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * How htmx behaves: nothing is evaluated, no style is added, an answer that refuses is shown as well, and a part that was drawn anew works at once: a tap
 * in the 20 ms before would be lost.
 */
const htmxConfig = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  defaultSettleDelay: 0,
  selfRequestsOnly: true,
  historyEnabled: false,
  historyCacheSize: 0,
  responseHandling: [
    { code: '204', swap: false },
    { code: '...', swap: true },
  ],
});

/** What a page is shown to. */
export interface Viewer {
  readonly name: string;
  /** In this session. */
  readonly scope: Scope;
  /** Goes with each change that this page asks for. */
  readonly pageToken: string;
}

/** One document. `root`: `/<random>`, before every address. */
export const page = (root: string, title: string, body: Child, viewer: Viewer | null = null): string =>
  html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={htmxConfig} />
        <title>{`${title} · ralph-tui`}</title>
        <link rel="icon" href={`${root}/web/icon.svg`} />
        <link rel="stylesheet" href={`${root}/web/style.css`} />
        <script src={`${root}/web/htmx.js`} defer />
        <script src={`${root}/web/sse.js`} defer />
        <script src={`${root}/web/live.js`} defer />
      </head>
      <body hx-ext="sse" hx-headers={JSON.stringify({ 'x-ralph-page': viewer?.pageToken ?? '' })}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {body}
        <Outcome />
      </body>
    </html>
  )}`.toString();
