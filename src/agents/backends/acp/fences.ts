/** What an agent needs inside a fence: its login, copied from the home directory, and the machines of its model. */
interface FenceProfile {
  /** Files below the home directory. */
  readonly logins: readonly string[];
  /** Hosts, or `*.domain`. */
  readonly hosts: readonly string[];
}

/** The built-in agents behind a fence. An agent without an entry gets no login and no host. */
export const fenceProfiles: Readonly<Record<string, FenceProfile>> = {
  gemini: {
    logins: [
      '.gemini/oauth_creds.json',
      '.gemini/gemini-credentials.json',
      '.gemini/google_accounts.json',
      '.gemini/installation_id',
      '.gemini/settings.json',
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
    logins: ['.codex/auth.json', '.codex/config.toml', '.codex/installation_id'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  },
  claude: {
    logins: ['.claude/.credentials.json', '.claude.json'],
    hosts: ['api.anthropic.com', 'claude.ai', 'platform.claude.com'],
  },
  opencode: { logins: ['.local/share/opencode/auth.json'], hosts: ['opencode.ai', 'models.dev'] },
  qwen: { logins: ['.qwen/oauth_creds.json', '.qwen/settings.json'], hosts: ['*.qwen.ai', '*.aliyuncs.com'] },
};
