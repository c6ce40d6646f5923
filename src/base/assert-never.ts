/** Closes every switch over a closed union: a new member does not compile until it is handled. */
export const assertNever = (value: never): never => {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
};
