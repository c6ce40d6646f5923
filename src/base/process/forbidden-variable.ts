/**
 * Whether only the person at the keyboard may set this environment variable, because it makes a harmless looking command run other
 * code (test/README.md, Execution). Applies to plans, tasks and agents of the configuration. `RALPH_*` is reserved for us.
 */
export const isForbiddenVariable = (name: string): boolean => forbidden.test(name);

const names = [
  // The loader and the shells.
  'LD_\\w+|DYLD_\\w+|BASH_ENV|BASH_FUNC_.*|ENV|PROMPT_COMMAND|SHELLOPTS|IFS|PS4|ZDOTDIR',
  // Languages, their tools and their search paths.
  'NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_REPL_\\w+|BUN_OPTIONS|npm_config_.*',
  'PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|RUSTC_WRAPPER',
  'GIT_(?:DIR|WORK_TREE|SSH|SSH_COMMAND|ASKPASS|EDITOR|SEQUENCE_EDITOR|PAGER|PROXY_COMMAND|EXTERNAL_DIFF|EXEC_PATH|TEMPLATE_DIR|CONFIG.*)|SSH_ASKPASS',
  // Programs that other programs start to show or edit something.
  'EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|BROWSER',
  'RALPH_.*',
];
const forbidden = new RegExp(`^(?:${names.join('|')})$`, 'i');
