/**
 * The environment a child of ours starts with: what a program needs to find its way, and nothing that makes another program run code
 * (quality.md, Execution). Credentials of agents and tools are named by whoever starts them, in `extra`.
 */
export const childEnvironment = (
  parent: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent))
    if (value !== undefined && inherited.test(name) && !isForbiddenVariable(name)) environment[name] = value;
  return { ...environment, ...extra };
};

const inherited =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|TZ|TMPDIR|TMP|TEMP|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|SSH_AUTH_SOCK|SSL_CERT_(?:FILE|DIR)|(?:https?|all|no)_proxy|(?:HTTPS?|ALL|NO)_PROXY|NVM_DIR|VOLTA_HOME|CARGO_HOME|RUSTUP_HOME|GOPATH|GOROOT|JAVA_HOME|PNPM_HOME|BUN_INSTALL|PYENV_ROOT|RBENV_ROOT|ASDF_DIR|ASDF_DATA_DIR|MISE_DATA_DIR|NIX_\w+|WSL_\w+)$/;

/** Variables that make an innocent program run something else; a plan that sets one is refused, and none is ever inherited. */
export const forbiddenVariables: readonly string[] = [
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
  'DYLD_FRAMEWORK_PATH',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'BUN_OPTIONS',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'PYTHONHOME',
  'PERL5OPT',
  'PERL5LIB',
  'RUBYOPT',
  'RUBYLIB',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'PS4',
  'PROMPT_COMMAND',
  'IFS',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_PROXY_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_ASKPASS',
  'GIT_EDITOR',
  'GIT_PAGER',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'SSH_ASKPASS',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'LESSOPEN',
  'LESSCLOSE',
  'MANPAGER',
  'BROWSER',
  'RUSTC_WRAPPER',
  'CARGO_BUILD_RUSTC_WRAPPER',
  'npm_config_script_shell',
  'npm_config_node_options',
  'PATH',
  'HOME',
  'RALPH_RUN',
];

const forbidden: ReadonlySet<string> = new Set(
  forbiddenVariables.filter((name) => name !== 'PATH' && name !== 'HOME').map((name) => name.toUpperCase()),
);
const forbiddenFamilies = /^(?:LD_|DYLD_|GIT_CONFIG_(?:KEY|VALUE)_|BASH_FUNC_)/i;

/** Whether a variable of this name is never handed to a child, in any spelling. */
export const isForbiddenVariable = (name: string): boolean =>
  forbidden.has(name.toUpperCase()) || forbiddenFamilies.test(name);
