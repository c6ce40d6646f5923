/**
 * Variables of git that say who the person is, what they configured, and how they reach a remote. The others say where a repository is, which is for
 * each call of ours to say. `isForbiddenVariable` keeps a plan or a repository from setting them.
 */
const personal =
  /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_COMMAND|ALLOW_PROTOCOL|SSL_\w+|HTTP_\w+)$/;

const ofItsHelpers = /^SSH_(?:AUTH_SOCK|AGENT_PID|ASKPASS|ASKPASS_REQUIRE)$|^(?:GNUPGHOME|GPG_TTY)$/;

type Env = Readonly<Record<string, string | undefined>>;

/** The variables by which git knows the person, signs for them and reaches their remotes. */
export const personalGit = (env: Env): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && (personal.test(name) || ofItsHelpers.test(name)) ? [[name, value]] : [],
    ),
  );

/** The environment in which the person's git runs: theirs, but for the variables that point git at another repository. Helpers for logins may read any of it. */
export const gitEnvironment = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || personal.test(name)));
