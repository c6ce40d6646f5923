import type { Severity } from '../records/finding.ts';
import { createLineCounter, type Hit, type Rule, type SourceFile } from '../rule.ts';
import { roleSeverity } from '../scanner/file-role.ts';

/**
 * Personal home directories in files (src/discovery/README.md, `hardcoded_path`): `/Users/NAME/`, `/home/NAME/`, `X:\Users\NAME\` with single or doubled
 * backslashes, and the current user's home. One finding for each value in the tree.
 */
export const hardcodedPath: Rule = {
  name: 'hardcoded_path',
  file: (file, { home }) => (mayHold(file.text, home) ? hitsIn(file, home) : []),
};

/** The user's own home first: it weighs most, and a file may hold more than anybody reads. */
function* hitsIn(file: SourceFile, home: string): Generator<Hit> {
  const ownLine = createLineCounter(file.text);
  const taken = new Set<number>();
  for (const found of homeHits(file, home)) {
    taken.add(found.at);
    yield hitOf(file, found, ownLine(found.at));
  }
  const lineOf = createLineCounter(file.text);
  for (const match of file.text.matchAll(prefixes)) {
    if (taken.has(match.index)) continue;
    const found = { at: match.index, value: match[0], name: match[1] ?? match[3] ?? '' };
    yield hitOf(file, found, lineOf(match.index));
  }
}

const prefixes =
  /(?<![A-Za-z0-9_.~/-])(?:\/(?:Users|home)\/([A-Za-z0-9._-]+)\/|[A-Za-z]:(\\{1,2})Users\2([A-Za-z0-9._-]+)\2)/g;

/** A cheap test first: most files contain none of these. Half the time of a scan, so it looks for as few words as possible. */
const mayHold = (text: string, home: string): boolean =>
  text.includes('/home/') ||
  text.includes('Users') ||
  (home.length > 1 && !/^\/home\/|Users/.test(home) && text.includes(home));

interface Found {
  readonly at: number;
  readonly value: string;
  readonly name: string;
  /** The user's home: `short` if it has one step, which images share (`/root`). */
  readonly own?: 'short' | 'personal';
}

/**
 * Places that contain the user's home. `/home/al` does not match in `/home/alice`. A short home such as `/root` may be part of any path, so it must
 * not follow a `/` either. The home `/` belongs to no person and is never searched.
 */
function* homeHits({ text }: SourceFile, home: string): Generator<Found> {
  const steps = home.split('/').filter((step) => step !== '');
  if (!home.startsWith('/') || steps.length === 0) return;
  const before = steps.length < 2 ? /[A-Za-z0-9_.~/-]/ : /[A-Za-z0-9_.~-]/;
  for (let at = text.indexOf(home); at !== -1; at = text.indexOf(home, at + home.length)) {
    const left = text[at - 1] ?? ' ';
    const right = text.slice(at + home.length, at + home.length + 2);
    if (!before.test(left) && !/^(?:[A-Za-z0-9_-]|\.[A-Za-z0-9_-])/.test(right))
      yield { at, value: home, name: steps.at(-1) ?? '', own: steps.length < 2 ? 'short' : 'personal' };
  }
}

/** Placeholder names in documentation, images and examples. */
const placeholders = new Set(
  (
    'you user username foo bar foobar baz alice bob name someone somebody example runner node vscode linuxbrew test tester ' +
    'me myself youruser yourusername your-username your_username myuser myname yourname your_name your-name username1 user1 user2 admin ubuntu jovyan app appuser dev developer jane john johndoe janedoe ' +
    'xxx xyz path git coder codespace circleci travis vagrant work workspace shared public default dummy anonymous'
  ).split(' '),
);

const hitOf = (file: SourceFile, found: Found, line: number): Hit => {
  const comment = isComment(file.text, found.at);
  return {
    value: found.value,
    per: 'tree',
    file: file.path,
    line,
    severity: comment ? 'low' : severityOf(file, found),
    role: comment ? 'doc' : file.role,
    description: found.own
      ? `Your home directory ${found.value} is hardcoded`
      : `Hardcoded path: ${found.value}`,
    recommendation: "Use a path relative to the project, the user's home directory, or a setting",
    steps: ['Replace the path with a relative one, or read it from the environment', 'Run the checks again'],
    tags: ['portability', file.role],
  };
};

/** Characters before an offset in which its line has to begin: a longer line is code from a tool, and looking further back at each offset would be quadratic. */
const mostLine = 1_000;

/** Whether the line of an offset is a comment in most languages: a path there does no harm. */
const isComment = (text: string, at: number): boolean => {
  const from = Math.max(0, at - mostLine);
  const before = text.slice(from, at);
  const start = before.lastIndexOf('\n') + 1;
  return (start > 0 || from === 0) && /^\s*(?:\/\/|\/?\*|#(?!!)|--\s|<!--|;)/.test(before.slice(start));
};

const severityOf = (file: SourceFile, { name, own }: Found): Severity => {
  if (placeholders.has(name.toLowerCase())) return 'low';
  const severity = roleSeverity(file.role);
  return own === 'personal' && severity === 'high' ? 'critical' : severity;
};
