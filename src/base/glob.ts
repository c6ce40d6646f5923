import { linearMatcher, type Matcher } from './match/linear-match.ts';

/**
 * Compiles a glob to a matcher of a whole relative path with `/`: `*` and `?` stay within one segment, `**` crosses segments, `{a,b}`
 * are alternatives, `[a-z]` and `[!a-z]` match one character. A glob without a `/` matches a name at any depth. One that begins with `/` is
 * anchored at the root. A glob that matches a directory matches everything in it (the rules of gitignore(5)).
 * An invalid pattern matches its own characters: nothing throws. No pattern makes a test slow, because a repository may bring its own.
 */
export const pathGlob = (glob: string): Matcher => {
  const closed = glob.trim().replace(/\/+$/, '');
  const anywhere = closed.includes('/') ? '' : '(?:[^]*/)?';
  const path = closed.replace(/^(?:\.?\/)+/, '');
  return compile(`^${anywhere}${translate(path, '[^/]')}(?:/[^]*)?$`, path);
};

/** A glob over a whole line of text, such as a command: `*` matches anything. */
export const textGlob = (glob: string): Matcher => compile(`^${translate(glob.trim(), '[^]')}$`, glob);

/** Stars that a regular expression may hold: with more of them it could backtrack for hours. */
const mostStars = 2;
/** A longer pattern is none that a person wrote. */
const longest = 1_000;

const compile = (source: string, glob: string): Matcher => {
  if (glob.length > longest) return { test: (text) => text === glob };
  try {
    const expression = new RegExp(source, 'u');
    return (glob.match(/\*+/g)?.length ?? 0) <= mostStars ? expression : linearMatcher(source);
  } catch {
    return new RegExp(`^${escaped(glob)}$`);
  }
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** `one` is the expression for a single `?`. A run of stars becomes one star: two adjacent ones would backtrack. */
const translate = (glob: string, one: string): string => {
  let out = '';
  let open = 0;
  for (const [token] of glob.matchAll(/\*\*\/(?:\*\*\/)*|\*+|\?|\{|\}|,|\[[!^]?[^\]/]+\]|\\.|./gsu)) {
    if (token.startsWith('**/')) out += one === '[^/]' ? '(?:[^/]+/)*' : '[^]*/';
    else if (token.startsWith('**')) out += '[^]*';
    else if (token === '*') out += `${one}*`;
    else if (token === '?') out += one;
    else if (token === '{' && hasEnd(glob)) {
      out += '(?:';
      open += 1;
    } else if (token === '}' && open > 0) {
      out += ')';
      open -= 1;
    } else if (token === ',' && open > 0) out += '|';
    else if (token.startsWith('[') && token.length > 2) out += classOf(token);
    else if (token.startsWith('\\') && token.length > 1) out += escaped(token.slice(1));
    else out += escaped(token);
  }
  return out;
};

const hasEnd = (glob: string): boolean =>
  (glob.match(/\{/g)?.length ?? 0) === (glob.match(/\}/g)?.length ?? 0);

const classOf = (token: string): string => {
  const negated = /^\[[!^]/.test(token);
  const inner = token.slice(negated ? 2 : 1, -1).replace(/[\\[\]^&]/g, '\\$&');
  return `[${negated ? '^' : ''}${inner}]`;
};
