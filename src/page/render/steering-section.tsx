/** @jsxImportSource hono/jsx */

import { count } from '../../words/local-time.ts';
import type { PageModel } from '../model/page-model.ts';
import type { Steering } from '../model/steering.ts';
import { clockTime, timeOfDay } from './words.ts';

/** The messages to the session: author, text and effect. */
export const SteeringSection = ({ steering, at, offset }: Pick<PageModel, 'steering' | 'at' | 'offset'>) =>
  steering.length === 0 ? null : (
    <section aria-labelledby="steering-head">
      <h2 id="steering-head">Steering</h2>
      <ol class="steering">
        {steering.map((entry) => (
          <SteeringEntry entry={entry} at={at} offset={offset} />
        ))}
      </ol>
    </section>
  );

const SteeringEntry = ({
  entry,
  at,
  offset,
}: { readonly entry: Steering } & Pick<PageModel, 'at' | 'offset'>) => (
  <li>
    <p>
      <time>{timeOfDay(entry.at, at, offset)}</time> <span class="kind">{entry.kind}</span>{' '}
      {entry.to === '' ? null : <span class="to">to {entry.to}</span>}
      {entry.from === '' ? null : (
        <span class="facts">{entry.from.includes(' ') ? entry.from : `by ${entry.from}`}</span>
      )}
    </p>
    {entry.text === '' ? null : <blockquote>{entry.text}</blockquote>}
    <p class={`came ${entry.tone}`}>{entry.outcome}</p>
    {entry.life.length < 2 ? null : (
      <details>
        <summary>{count(entry.life.length, 'step')}</summary>
        <ol class="life">
          {entry.life.map((step) => (
            <li>
              <time>{clockTime(step.at, offset)}</time> {step.text}
            </li>
          ))}
        </ol>
      </details>
    )}
  </li>
);
