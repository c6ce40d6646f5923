import { type CheckFinder, step } from './facts.ts';

/** A Go module. */
export const goModule: CheckFinder = {
  name: 'go.mod',
  find: ({ names, texts }) =>
    texts.has('go.mod')
      ? [
          ...(names.has('go.sum') ? [step('install', 'go', ['go', 'mod', 'download'])] : []),
          step('lint', 'go', ['go', 'vet', './...']),
          step('build', 'go', ['go', 'build', './...']),
          step('test', 'go', ['go', 'test', './...']),
        ]
      : [],
};
