/**
 * Whether the value of a variable that is named like a secret is an ordinary word all the same, or a plain path or address: `postgres`, `us-east-1`,
 * `changeme1`, `~/keys/deploy.json`. People and agents write such values without meaning the secret, so removing them would garble goals, file names and
 * diffs and protect nothing. A value in doubt is a secret.
 */
export const isOrdinary = (value: string): boolean => {
  const plain = value.trim();
  if (new Set(plain).size <= 1 || isPlaceholder(plain)) return true;
  // Several words are a pass phrase.
  if (/\s/.test(plain)) return false;
  if (path.test(plain)) return true;
  const parts = partsOf(plain.replace(address, ''));
  const words = parts.filter((part) => part.length > 3 && !/^\d+$/.test(part));
  const most = address.test(plain) ? 16 : 2;
  return words.length > 0 && words.length <= most && parts.every(isOrdinaryPart);
};

/** Whether a value is the password of an example: the same in any text. */
export const isCommon = (value: string): boolean =>
  new Set(value).size <= 1 ||
  common.has(value.toLowerCase()) ||
  common.has(value.toLowerCase().replace(/\d{1,4}!?$/, ''));

/** A key in base64 may begin with a slash, but not with one of these. */
const path =
  /^(?:~\/|\.{1,2}\/|\/(?:home|Users|etc|opt|usr|var|tmp|run|root|mnt|srv|data|app|workspace|private|Library)\/)[\w.@/-]+$/;

const address = /^https?:\/\//;

/** `<your token>`, `{{ token }}`, `your-api-key-here`. */
const isPlaceholder = (value: string): boolean => {
  const named = /^(?:<[^<>]*>|\{\{[^{}]*\}\}|\$\{[^{}]*\}|%[^%]*%|your[-_ ].*|.*[-_]here)$/i.test(value);
  return named && partsOf(value.replace(/[<>{}$%]/g, ' ')).every(isOrdinaryPart);
};

const partsOf = (value: string): readonly string[] =>
  value.split(/[-_. /:@,]+/).filter((part) => part !== '');

/** One word, or one short number beside words. */
const isOrdinaryPart = (part: string): boolean => {
  if (/^(?:\d{1,5}|[A-Za-z]{1,3})$/.test(part)) return true;
  if (isCommon(part)) return true;
  const word = part.toLowerCase();
  const isOneCase = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(part);
  return isOneCase && word.length <= longestWord && isPronounced(word);
};

/** Longer runs of letters are several words, as in a pass phrase. */
const longestWord = 14;

const isPronounced = (word: string): boolean =>
  [...word].every((letter, at) => at === 0 || follows(word.charAt(at - 1), letter));

const follows = (before: string, letter: string): boolean => pairs.get(before)?.includes(letter) === true;

/** The letters that follow a letter in words of English prose and code; of random letters every third pair is missing. */
const pairs: ReadonlyMap<string, string> = new Map(
  [
    'a abcdefghijklmnoprstuvwxyz',
    'b abcdeijlmoprstuy',
    'c acdehiklmoprstuy',
    'd abcdefghijlmnorstuvwy',
    'e abcdefghijklmnopqrstuvwxyz',
    'f aefilorstuy',
    'g aeghilmnorstuy',
    'h aeilmnorstuy',
    'i abcdefgjklmnopqrstuvxyz',
    'j aeiosu',
    'k aefhiklmnoprstuy',
    'l abcdefgiklmnoprstuvy',
    'm abcdeiklmopstuy',
    'n abcdefghijklmnoprstuvwyz',
    'o abcdefghijklmnoprstuvwxy',
    'p acdehiklmoprstuy',
    'q u',
    'r abcdefghiklmnoprstuvwy',
    's abcdefhiklmnoprstuvwyz',
    't abcdefhiklmnoprstuwyz',
    'u abcdefgiklmnoprstxz',
    'v aeios',
    'w aehilnors',
    'x aceimpt',
    'y abcdeilmnoprstu',
    'z aehioz',
  ].map((row) => [row.charAt(0), row.slice(2)]),
);

/** Names and passwords of examples, also with a few digits behind them. */
const common: ReadonlySet<string> = new Set([
  ...['admin', 'administrator', 'background', 'changeit', 'changeme', 'clipboard', 'database', 'default'],
  ...['demo', 'devpass', 'docker', 'dummy', 'elastic', 'endpoint', 'example', 'foobar', 'foobarbaz'],
  ...['github', 'gitlab', 'grafana', 'guest', 'jenkins', 'kafka', 'keycloak', 'letmein', 'localhost'],
  ...['localstack', 'mariadb', 'minio', 'minioadmin', 'mongo', 'mongodb', 'mysql', 'nginx', 'oauth'],
  ...['osxkeychain', 'passw0rd', 'password', 'placeholder', 'postgres', 'postgresql', 'qwerty', 'qwertyuiop'],
  ...['rabbitmq', 'redis', 'root', 'secret', 'sqlite', 'staging', 'supabase', 'test', 'testing', 'testpass'],
  ...[
    'testpassword',
    'token',
    'user',
    'username',
    'welcome',
    'wordpress',
    '12345678',
    'abc12345',
    'p@ssw0rd',
  ],
]);
