/** What `make` returns, made when it is first asked for and kept: most starts of the program need few of its large tables. */
export const late = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
