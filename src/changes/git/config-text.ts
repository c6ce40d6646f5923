/** One setting of a configuration of git: its section and name in lower case, `remote.origin.url` with the middle part as written. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** The settings of one file of git's configuration, in order. Includes are not followed. A line that git would refuse is left out. */
export const parseConfig = (text: string): readonly Setting[] => {
  const found: Setting[] = [];
  let section = '';
  for (let rest = text.replace(/^\ufeff/, ''); rest !== ''; ) {
    const skipped = /^(?:\s+|[#;][^\n]*)/.exec(rest);
    const header = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]/.exec(rest);
    const name = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)/.exec(rest);
    if (skipped) rest = rest.slice(skipped[0].length);
    else if (header) {
      const [whole, plain = '', middle] = header;
      const lower = plain.toLowerCase();
      section = middle === undefined ? lower : `${lower}.${middle.replace(/\\(.)/g, '$1')}`;
      rest = rest.slice(whole.length);
    } else if (name && section !== '') {
      const { value, length } = name[2] === '' ? endOfLine : readValue(rest.slice(name[0].length));
      found.push({ key: `${section}.${(name[1] ?? '').toLowerCase()}`, value });
      rest = rest.slice(name[0].length + length);
    } else rest = rest.slice((/^[^\n]*\n?/.exec(rest) ?? [''])[0].length || 1);
  }
  return found;
};

/** A name alone is a yes. */
const endOfLine = { value: 'true', length: 0 };

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

/** The value at the beginning of the text, and how many characters it takes. */
const readValue = (text: string): { readonly value: string; readonly length: number } => {
  let [value, kept, isQuoted] = ['', 0, false];
  let at = 0;
  for (; at < text.length && text[at] !== '\n'; at += 1) {
    const letter = text[at] ?? '';
    if (!isQuoted && (letter === '#' || letter === ';')) {
      at += (/^[^\n]*/.exec(text.slice(at)) ?? [''])[0].length;
      break;
    }
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === '\\') {
      at += text.startsWith('\r\n', at + 1) ? 2 : 1;
      value += escapes[text[at] ?? ''] ?? '';
    } else if (isQuoted || !/\s/.test(letter) || value !== '') value += letter;
    if (isQuoted || !/\s/.test(letter)) kept = value.length;
  }
  return { value: value.slice(0, kept), length: at };
};

/** Settings as a file of git's configuration. */
export const formatConfig = (settings: readonly Setting[]): string =>
  settings
    .map(({ key, value }) => {
      const [section = '', name = ''] = [key.slice(0, key.indexOf('.')), key.slice(key.lastIndexOf('.') + 1)];
      const middle = key.slice(section.length + 1, -name.length - 1);
      const head = middle === '' ? `[${section}]` : `[${section} "${middle.replace(/["\\]/g, '\\$&')}"]`;
      return `${head}\n\t${name} = "${value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"\n`;
    })
    .join('');

/** How files and objects are stored, who the person is, and where remotes are. None names a program, a further file of settings, or a hook. */
const plain = new RegExp(
  `^(?:${[
    'core\\.(?:repositoryformatversion|bare|filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|checkstat|trustctime|sparsecheckout|sparsecheckoutcone|sharedrepository|excludesfile|attributesfile|bigfilethreshold|longpaths|protecthfs|protectntfs)',
    'index\\.sparse',
    'extensions\\.(?:objectformat|compatobjectformat|refstorage|partialclone|noop)',
    '(?:user|author|committer)\\.(?:name|email)',
    'user\\.useconfigonly',
    'i18n\\.commitencoding',
    'remote\\..+\\.(?:url|pushurl|fetch|promisor|partialclonefilter)',
    'branch\\..+\\.(?:remote|merge|pushremote)',
    'remote\\.pushdefault',
    'lfs\\.(?:url|pushurl|storage|fetchinclude|fetchexclude|repositoryformatversion)',
    'filter\\.lfs\\.required',
  ].join('|')})$`,
  's',
);

/** What `git lfs install --local` writes: known programs, which may run. */
export const knownPrograms: ReadonlySet<string> = new Set([
  'filter.lfs.clean=git-lfs clean -- %f',
  'filter.lfs.smudge=git-lfs smudge -- %f',
  'filter.lfs.smudge=git-lfs smudge --skip -- %f',
  'filter.lfs.process=git-lfs filter-process',
  'filter.lfs.process=git-lfs filter-process --skip',
]);

/** The part of a repository's configuration that our calls of git see. */
export const plainSettings = (settings: readonly Setting[]): readonly Setting[] =>
  settings.filter(({ key, value }) => plain.test(key) || knownPrograms.has(`${key}=${value}`));
