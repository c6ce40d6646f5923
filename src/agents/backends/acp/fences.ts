import { join } from 'node:path';

/** What an agent needs inside a fence: its login, copied from the home directory, and the machines of its model. */
interface FenceProfile {
  readonly logins: readonly FenceLogin[];
  /** Hosts, or `*.domain`. */
  readonly hosts: readonly string[];
  /** The variable that names another place for a directory below the home. Inside, everything is in its usual place. */
  readonly place?: { readonly variable: string; readonly instead: string };
}

interface FenceLogin {
  /** Below the home directory. */
  readonly file: string;
  /** Keys of a JSON object, or tables of TOML: nothing else of the file is copied. */
  readonly only?: readonly string[];
  /** Where it is on this machine, absolute, if not below the home. */
  readonly from?: string;
}

const whole = (...files: readonly string[]): readonly FenceLogin[] => files.map((file) => ({ file }));

/** The built-in agents behind a fence. An agent without an entry gets no login and no host. */
export const fenceProfiles: Readonly<Record<string, FenceProfile>> = {
  gemini: {
    logins: [
      ...whole(
        '.gemini/oauth_creds.json',
        '.gemini/gemini-credentials.json',
        '.gemini/google_accounts.json',
        '.gemini/installation_id',
      ),
      { file: '.gemini/settings.json', only: ['security', 'selectedAuthType', 'model'] },
    ],
    place: { variable: 'GEMINI_CLI_HOME', instead: '' },
    // Not `*.googleapis.com`: storage and logging of anybody's project would be among them. A key, a login with Google, Vertex AI.
    hosts: [
      'generativelanguage.googleapis.com',
      'cloudcode-pa.googleapis.com',
      'aiplatform.googleapis.com',
      'oauth2.googleapis.com',
      'www.googleapis.com',
    ],
  },
  codex: {
    logins: [
      ...whole('.codex/auth.json', '.codex/installation_id'),
      { file: '.codex/config.toml', only: ['model_providers', 'profiles'] },
    ],
    place: { variable: 'CODEX_HOME', instead: '.codex' },
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  },
  claude: {
    logins: [
      ...whole('.claude/.credentials.json'),
      {
        file: '.claude.json',
        only: ['oauthAccount', 'primaryApiKey', 'customApiKeyResponses', 'hasCompletedOnboarding', 'userID'],
      },
    ],
    place: { variable: 'CLAUDE_CONFIG_DIR', instead: '.claude' },
    hosts: ['api.anthropic.com', 'claude.ai', 'platform.claude.com'],
  },
  opencode: { logins: whole('.local/share/opencode/auth.json'), hosts: ['opencode.ai', 'models.dev'] },
  qwen: {
    logins: [
      ...whole('.qwen/oauth_creds.json'),
      {
        file: '.qwen/settings.json',
        only: ['security', 'selectedAuthType', 'model', 'modelProviders', 'env'],
      },
    ],
    // Not `*.aliyuncs.com`: anybody's storage would be among them.
    hosts: ['chat.qwen.ai', 'portal.qwen.ai', 'dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com'],
  },
};

/** The login files of an agent, with their place where a variable of the person names another one than the usual. */
export const loginsOf = (
  { logins, place }: FenceProfile,
  env: Readonly<Record<string, string | undefined>>,
): readonly FenceLogin[] => {
  const directory = place && env[place.variable];
  if (place === undefined || !directory) return logins;
  const below = `${place.instead}/`;
  return logins.map((login) => ({
    ...login,
    from: join(directory, login.file.startsWith(below) ? login.file.slice(below.length) : login.file),
  }));
};
