import { z } from 'zod';
import type { Tool } from './tool.ts';

/** A tool's arguments as JSON schema, without keywords that vendors' function declarations reject. */
export const inputSchema = (tool: Pick<Tool, 'input'>): Readonly<Record<string, unknown>> => {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames;
    },
  });
  return schema;
};
