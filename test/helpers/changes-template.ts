import { afterAll } from 'vitest';
import { makeTemplate } from './changes.ts';

/** The template repository of a test file, removed when its tests are over. */
export const templateOfFile = (files?: Readonly<Record<string, string>>): ReturnType<typeof makeTemplate> => {
  const template = makeTemplate(files);
  afterAll(template.remove);
  return template;
};
