/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { safe } from '../../base/safe.ts';
import { scopes, scopeWords } from '../access/scope.ts';
import { Form, SayWays, sentOnce, Words } from './form.tsx';
import { page, type Viewer } from './layout.tsx';
import { type Seen, sections } from './sections.tsx';

/** The page that pairs a browser. The code may stand behind `#` of its address, which is never sent. */
export const pairPage = (root: string, why: string | null): string =>
  page(
    root,
    'Pair this device',
    <main id="main" class="pair">
      <h1>Pair this device</h1>
      {why === null ? null : <p class="bad">{why}</p>}
      <p>Type the six words that `ralph-tui serve` shows in its terminal. They work once, for two minutes.</p>
      <form hx-post={`${root}/pair`} {...sentOnce}>
        <label class="words">
          <span>The six words</span>
          <input
            id="code"
            name="code"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxlength={100}
          />
        </label>
        <label class="words">
          <span>A name for this device</span>
          <input name="name" autocomplete="off" maxlength={30} placeholder="phone" />
        </label>
        <fieldset>
          <legend>What it may do</legend>
          {scopes.map((scope) => (
            <label class="choice">
              <input type="radio" name="scope" value={scope} checked={scope === 'steer'} />
              <span>
                <b>{scope}</b>: {scopeWords[scope]}
              </span>
            </label>
          ))}
        </fieldset>
        <p class="quiet">
          approve takes effect in a session once a key on one of its screens has confirmed the device.
        </p>
        <div class="ways">
          <button type="submit" class="yes">
            Pair
          </button>
        </div>
      </form>
      <noscript>
        <p class="bad">Pairing needs JavaScript. A paired device reads without it.</p>
      </noscript>
    </main>,
  );

export interface ListedSession {
  readonly session: string;
  readonly goal: string;
  readonly status: string;
  readonly progress: string;
}

/** Whether this device gets notices, and the key that its browser asks for them with. */
export interface PushChoice {
  readonly key: string;
  readonly isOn: boolean;
}

/** Every session of the workspace, the newest first. */
export const sessionsPage = (
  root: string,
  sessions: readonly ListedSession[],
  viewer: Viewer,
  push: PushChoice,
): string =>
  page(
    root,
    'Sessions',
    <main id="main">
      <h1>Sessions</h1>
      {sessions.length === 0 ? <p class="quiet">There is no session in this workspace yet.</p> : null}
      <ul class="rows">
        {sessions.map(({ session, goal, status, progress }) => (
          <li>
            <a class="row" href={`${root}/s/${session}`}>
              <span class="sign" aria-hidden="true" />
              <span class="title">{goal === '' ? session : goal}</span>
              <span class="word">{status}</span>
              <span class="facts">{progress}</span>
            </a>
          </li>
        ))}
      </ul>
      <Notices root={root} push={push} />
    </main>,
    viewer,
  );

/** Shown by script where the browser can receive notices. Its buttons ask the browser first. */
const Notices = ({ root, push }: { readonly root: string; readonly push: PushChoice }) => (
  <section
    id="notices"
    aria-labelledby="notices-head"
    hidden
    data-push={`${root}/push`}
    data-worker={`${root}/web/push.js`}
    data-key={push.key}
  >
    <h2 id="notices-head">Notices</h2>
    <p class="quiet">A notice comes when something waits for you and no page shows its session.</p>
    <div class="ways">
      <button type="button" data-notices="on" hidden={push.isOn}>
        Notify this device
      </button>
      <button type="button" data-notices="off" hidden={!push.isOn}>
        Notify this device no longer
      </button>
    </div>
  </section>
);

/** A session, live. Without script it shows what held when it was loaded. */
export const sessionPage = (root: string, session: string, seen: Seen, viewer: Viewer): string => {
  const seq = seen.view.session?.seq ?? 0;
  const { base } = seen;
  return page(
    root,
    safe(seen.view.session?.goal ?? session),
    <div sse-connect={`${base}/events?at=${seq}`} sse-close="gone" class={viewer.scope}>
      <p id="gone" sse-swap="gone" role="alert" />
      <p id="lost" role="alert">
        Not connected: what you see may be old. Load the page again, or see whether serve still runs.
      </p>
      <div class="live">
        <p class="crumbs">
          <a href={`${root}/`}>Sessions</a> <span class="facts">{safe(session)}</span>
        </p>
        <header id="head" sse-swap="head">
          {raw(drawn('head', seen))}
        </header>
        <main id="main">
          {sections
            .filter(({ name }) => name !== 'head')
            .map(({ name, draw }) => (
              <>
                <div id={name} sse-swap={name} aria-live={name === 'needs' ? 'polite' : undefined}>
                  {raw(draw(seen))}
                </div>
                {name === 'needs' ? <ScopeNote base={base} viewer={viewer} /> : null}
              </>
            ))}
          <Controls base={base} viewer={viewer} />
        </main>
      </div>
    </div>,
    viewer,
  );
};

const drawn = (name: string, seen: Seen): string =>
  sections.find((each) => each.name === name)?.draw(seen) ?? '';

const ScopeNote = ({ base, viewer }: { readonly base: string; readonly viewer: Viewer }) => (
  <div id="scope" sse-swap="scope">
    <ScopeWords base={base} viewer={viewer} />
  </div>
);

/** Which scope this device has here, and how it gets the next one. */
export const ScopeWords = ({
  base,
  viewer: { name, scope },
}: {
  readonly base: string;
  readonly viewer: Pick<Viewer, 'name' | 'scope'>;
}) => (
  <>
    <p class="quiet">
      {name} {scopeWords[scope]}.
    </p>
    {scope === 'steer' ? (
      <Form base={base} action="confirm-me">
        <div class="ways">
          <button type="submit">Ask a screen to let this device approve</button>
        </div>
      </Form>
    ) : null}
  </>
);

const Controls = ({ base, viewer: { scope } }: { readonly base: string; readonly viewer: Viewer }) =>
  scope === 'watch' ? null : (
    <section aria-labelledby="steer-head" class="controls">
      <h2 id="steer-head">Steer the session</h2>
      <Form base={base}>
        <Words id="session" label="A message to all agents" />
        <SayWays />
      </Form>
      <Form base={base}>
        <div class="ways">
          <button type="submit" name="do" value="pause">
            Pause
          </button>
          <button type="submit" name="do" value="resume">
            Resume
          </button>
        </div>
      </Form>
      <Form base={base}>
        <div class="ways">
          <button type="button" class="abort" data-hold={`${base}/act`}>
            Hold two seconds to abort
          </button>
        </div>
      </Form>
    </section>
  );

/** A refusal as a page of its own. */
export const refusalPage = (root: string, why: string): string =>
  page(
    root,
    'Not shown',
    <main id="main">
      <h1>Not shown</h1>
      <p>{why}</p>
      <p>
        <a href={`${root}/pair`}>Pair this device</a>
      </p>
    </main>,
  );
