/**
 * The environment of a child process: enough to find programs and settings, and nothing that makes another program run code
 * (test/README.md, Execution). The caller names credentials of agents and tools in `extra`.
 */
export const childEnvironment = (
  parent: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent))
    if (value !== undefined && inherited.test(name)) environment[name] = value;
  return { ...environment, ...extra };
};

/** An allow list, because no complete list exists of the variables that make some program run foreign code. */
const inherited =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|TZ|TMPDIR|TMP|TEMP|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|SSH_AUTH_SOCK|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:REQUESTS|CURL|AWS)_CA_BUNDLE|(?:https?|all|no)_proxy|(?:HTTPS?|ALL|NO)_PROXY|NVM_DIR|VOLTA_HOME|CARGO_HOME|RUSTUP_HOME|GOPATH|GOROOT|JAVA_HOME|PNPM_HOME|BUN_INSTALL|PYENV_ROOT|RBENV_ROOT|ASDF_DIR|ASDF_DATA_DIR|MISE_DATA_DIR|NIX_\w+|WSL_\w+|TRACEPARENT|TRACESTATE)$/;
