import { z } from 'zod';

const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** The smallest value that fits a JSON schema as agents write them for their side requests: first of an enum, empty texts and lists. */
export const exampleOfSchema = (schema: unknown): unknown => {
  const parsed = schemaSchema.safeParse(schema);
  if (!parsed.success) return '';
  const { enum: choices, properties, type } = parsed.data;
  if (choices) return choices[0];
  const kind = (Array.isArray(type) ? type[0] : type)?.toLowerCase();
  if (properties || kind === 'object')
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([key, value]) => [key, exampleOfSchema(value)]),
    );
  if (kind === 'array') return [];
  if (kind === 'number' || kind === 'integer') return 0;
  return kind === 'boolean' ? false : '';
};
