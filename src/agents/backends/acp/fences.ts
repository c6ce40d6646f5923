/** What an agent needs inside a fence: its login, copied from the home directory, and the machines of its model. */
interface FenceProfile {
  readonly logins: readonly FenceLogin[];
  /** Hosts, or `*.domain`. */
  readonly hosts: readonly string[];
}

interface FenceLogin {
  /** Below the home directory. */
  readonly file: string;
  /** Keys of a JSON object, or tables of TOML: nothing else of the file is copied. */
  readonly only?: readonly string[];
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
