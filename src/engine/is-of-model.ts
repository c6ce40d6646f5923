import type { Core } from './core.ts';

/** Whether a model does the work of this invocation, and not commands that are the same each time. */
export const isOfModel = ({ loop, options }: Core, invocation: string): boolean => {
  const name = loop.state().invocations.get(invocation)?.backend;
  return options.backends.find((backend) => backend.name === name)?.model !== undefined;
};
