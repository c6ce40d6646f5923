/** Ends of names that a secret is given under, in variables, headers, options and fields of data. */
export const tellingName =
  '(?:[Tt]oken|TOKEN|[Pp]assword|PASSWORD|[Pp]asswd|PASSWD|[Pp]assphrase|PASSPHRASE|[Ss]ecret|SECRET|[Cc]redential|CREDENTIAL|(?:[Aa]pi|API|[Aa]ccess|ACCESS|[Pp]rivate|PRIVATE|[Ss]ecret|SECRET|[Aa]ccount|ACCOUNT|[Ss]igning|SIGNING)[_-]?(?:[Kk]ey|KEY)|_auth|_AUTH|_pwd|_PWD|_PAT|private_key_id)';
/** What ends a value that stands without quotes. */
const end = '[\\s"\'`,;<>)}\\]&|\\\\]';
const inWord = '[^\\s"\'`,;<>(){}[\\]&|\\\\]';
/** Neither an expansion of a shell nor a property of code: `$TOKEN`, `options.token2`. */
const noExpression = `(?![$%*])(?!(?:[A-Za-z_$][\\w$]{0,40}\\??\\.){1,6}[A-Za-z_$][\\w$]{0,40}(?:${end}|$))`;
/** Letters with digits among them: words of prose and of code have none. */
const mixed = `(?=${inWord}{0,64}[0-9])(?=${inWord}{0,64}[A-Za-z])`;

/**
 * The forms of well-known keys, the tokens of our own tools among them, each with its kind in words. The last two are a private key, and the end of
 * one that began in an earlier piece of a log.
 */
export const secretKinds: readonly (readonly [kind: string, form: RegExp])[] = [
  ['API key', /\bsk-[A-Za-z0-9_-]{16,}/],
  ['GitHub token', /\bgh[pousr]_[A-Za-z0-9]{20,}/],
  ['GitHub token', /\bgithub_pat_[A-Za-z0-9_]{20,}/],
  ['GitLab token', /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat)-[A-Za-z0-9_-]{20,}/],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}/],
  ['PyPI token', /\bpypi-AgE[A-Za-z0-9_-]{16,}/],
  ['token of ralph-tui', /\bralph_mcp_[a-f0-9]{32,}/],
  ['AWS access key', /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}/],
  ['Google token', /\b(?:ya29\.|GOCSPX-|1\/\/0)[A-Za-z0-9_-]{20,}/],
  ['Slack token', /\bxox[abeprs][.-][A-Za-z0-9.-]{10,}/],
  ['Slack token', /\bxapp-[0-9]-[A-Za-z0-9-]{10,}/],
  ['Slack webhook', /(?<=\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{16,}/],
  ['Stripe key', /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ['Stripe key', /\bwhsec_[A-Za-z0-9+/=]{16,}/],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/],
  ['API key', /\b(?:gsk_|xai-|tvly-|r8_|lin_api_|ntn_|figd_|dop_v1_|shpat_)[A-Za-z0-9_-]{24,}/],
  ['age key', /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/],
  ['SendGrid key', /(?<![A-Za-z0-9_-])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/],
  ['web token', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  ['password in a header', /(?<=\b[Aa]uthorization:\s{0,4}[Bb]asic\s{1,4})[A-Za-z0-9+/=]{8,}/],
  ['token in a header', /(?<=\b[Aa]uthorization:\s{0,4}[Tt]oken\s{1,4})[A-Za-z0-9._~+/=-]{8,}/],
  ['cookie', /(?<=\b[Cc]ookie:\s{0,4}[A-Za-z0-9_.-]{1,64}=)[^\s;"'`]{12,}/],
  [
    'password in a URL',
    /(?<=[?&](?:access_token|token|api_key|apikey|key|password|passwd|secret|client_secret|sig|signature)=)[^&\s"'`<>#)]{8,}/,
  ],
  ['bearer token', /(?<=\b[Bb]earer\s{1,4})[A-Za-z0-9._~+/=-]{8,}/],
  // A password may hold colons and signs of its own: it ends at the last `@` before the path.
  ['password in a URL', /(?<=:\/\/[^\s:@/]{0,64}:)[^\s/]{3,512}(?=@)/],
  [
    'token in a URL',
    /(?<=:\/\/)(?=[A-Za-z_%.~+-]{0,64}[0-9])[A-Za-z0-9_%.~+-]{20,256}(?=(?::[^\s/@]{0,256})?@)/,
  ],
  // `NAME_TOKEN=value` of a shell, whatever the value looks like.
  [
    'value of a secret variable',
    new RegExp(
      `(?<=(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_PAT|_PWD)=["']?)${noExpression}${inWord}{8,}`,
    ),
  ],
  // `token: value`, `"password": "value"`, `--api-key=value`, `_authToken=value`.
  [
    'value whose name suggests a secret',
    new RegExp(
      `(?<=${tellingName}["']?[ \\t]{0,4}(?::|=>?)[ \\t]{0,4})${noExpression}${mixed}${inWord}{8,}(?=${end}|$)`,
    ),
  ],
  [
    'value whose name suggests a secret',
    new RegExp(
      `(?<=${tellingName}["']?[ \\t]{0,4}(?::|=>?)[ \\t]{0,4}["'\`])(?![$%*])(?=[^"'\`\\s]{0,64}[0-9])[^"'\`\\s]{8,}(?=["'\`\\s]|$)`,
    ),
  ],
  [
    'value of a secret option',
    new RegExp(
      `(?<=--[a-z-]{0,32}(?:token|password|passwd|secret|api-key|access-key)[ \\t]{1,4}["']?)${noExpression}${mixed}${inWord}{8,}`,
    ),
  ],
  ['password of a login', /(?<=\s(?:-u|--user)[ =]["']?[A-Za-z0-9_.@+-]{1,64}:)(?![$])[^\s"'`]{8,}/],
  ['password of a login', /(?<=\blogin\s{1,4}\S{1,64}\s{1,8}password\s{1,4})\S{4,}/],
  [
    'private key',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?![\s\S]))/,
  ],
  ['private key', /(?:^[A-Za-z0-9+/=]{1,76}\r?\n){1,100}-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/],
];

/** What every form holds: cheap to look for, and nearly every line is without it. */
export const secretHints = new RegExp(
  [
    'sk-|gh[pousr]_|github_pat_|gl[a-z]{2,4}-|npm_|pypi-|ralph_mcp_|AKIA|ASIA|AIza|ya29\\.|GOCSPX-|1//0|xox[abeprs]|xapp-|hooks\\.slack|[srp]k_(?:live|test)_|whsec_|hf_',
    'gsk_|xai-|tvly-|r8_|lin_api_|ntn_|figd_|dop_v1_|shpat_|AGE-|SG\\.|eyJ|[Bb]asic\\s|[Bb]earer\\s|uthorization:|ookie:|[?&][a-z_]{3,13}=|:\\/\\/|PRIVATE KEY',
    '(?:[Tt]oken|TOKEN|[Pp]ass(?:word|wd|phrase)|PASS(?:WORD|WD|PHRASE)|[Ss]ecret|SECRET|redential|REDENTIAL|[Kk]ey|KEY|_auth|_AUTH|_pwd|_PWD|_PAT|key_id)["\']?\\s{0,4}[:=]',
    '--[a-z-]{0,32}(?:token|password|passwd|secret|key)\\s|\\s(?:-u|--user)[ =]|login\\s',
  ].join('|'),
  'g',
);
