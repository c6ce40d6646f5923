import { z } from 'zod';
import { ephemeralTypes, eventBodySchema } from '../../../pipeline/event.ts';
import type { Topic } from './topic.ts';

/** Every event type with its fields, from the schema of the journal. */
export const events: Topic = {
  name: 'events',
  summary: 'the events of `run --json`, `attach --json` and the journal',
  sections: () => [
    {
      kind: 'text',
      text: '`run --json`, `resume --json` and `attach --json` print one event per line: `{"type": …, "at": …, "seq": …, …}`. The last one is `session.stopped`. Fields are added, never renamed. A `?` marks a field that may be absent.',
    },
    { kind: 'table', rows: [['type', 'fields'], ...eventRows()] },
  ],
};

const eventRows = (): readonly (readonly string[])[] =>
  eventBodySchema().options.map((option) => {
    const type = option.shape.type.value;
    const fields = Object.entries(option.shape)
      .filter(([name]) => name !== 'type')
      .map(([name, schema]) => `${name}${schema instanceof z.ZodOptional ? '?' : ''}`);
    const note = ephemeralTypes.has(type) ? ' (not in the journal)' : '';
    return [`\`${type}\`${note}`, fields.join(', ')];
  });
