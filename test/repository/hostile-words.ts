/** The words of "Hostile input" and of "Mistakes of peers" (test/README.md): one line a case; each is split at its ` · `. */
export const hostileInput: Readonly<Record<string, string>> = {
  Mailbox:
    'symlink to a secret · dangling and looping symlinks · directory, FIFO (must not hang), socket named like a signal · hard link · 0 bytes · 70 KB · 2 GB sparse · growing file · half-written valid YAML · invalid UTF-8 content and file names · newline, ESC, 255 bytes in a name · the same name twice · 1,000 in one second · years 1970 and 2099 · both date forms · inputs/ replaced by a symlink or deleted while running · processed/ read-only or full · 10,000 at once · clock stepping back · pid reuse',
  'YAML and markdown':
    'alias bomb · 64 KiB of anchors · 20,000 nested [ · __proto__ · duplicate type · two documents · forged handling_metadata · message a map or 1 MB · ---js front matter · task id ../../x · blockedBy itself, a cycle, a ghost, 10,000 edges · progress lines with parentheses, duplicated, re-ordered by a person',
  Terminal:
    'OSC 52 in a message (BEL, ST, C1, unterminated) · a permission prompt forged by cursor movement · RLO and zero-width characters in a file name · paste that ends the bracket and adds a hotkey · carriage-return progress bars · 157 MB of output in one line · binary output',
  Execution:
    '; rm -rf, $( ), a leading - in names · LD_PRELOAD, NODE_OPTIONS, GIT_SSH_COMMAND in a plan · a plan from an untrusted repository · agents that ignore TERM, fork away, print for ever, exit 0 without a result, answer with prose instead of the contract',
  Secrets: 'Secrets never reach journal, logs, reports or screen',
};

export const mistakesOfPeers =
  'Quit deleted the session · "sent" shown as "delivered" · abort left agents running with permissions skipped · after the terminal was gone the engine started another agent · quota error booked as failure or success · blocked tasks dispatched · a stop reason lost · an earlier run\'s evidence overwritten · 10 MB of old logs froze the screen · scroll jumps while one reads · keys advertised without a handler, README keys that differ from the code, two handlers on one key · typing in a search field triggered hotkeys · footer cut at 100 columns, help taller than the screen · NO_COLOR ignored · raw control characters broke the screen · a template literal printed raw in `status` · approval gates that hang for ever or vanish on restart · idle watchdogs that spend model calls · error classification by string matching · a dead feature that was never wired';
