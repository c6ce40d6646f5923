import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Answers as the phase asks, at once and without a model. */
const agent = `cat > /dev/null
n=\${RALPH_TASK##*-}; n=\${n%%_*}
case $RALPH_TASK in
  research-*) echo "{\\"summary\\":[],\\"files\\":[\\"f$n.txt\\"],\\"document\\":\\"# What is\\"}" ;;
  plan-*) echo '{"summary":[],"phase_count":1,"document":"# The plan"}' ;;
  review-*) echo '{"verdict":"APPROVED","summary":[],"document":"# Good"}' ;;
  pr-*) echo '{"title":"The change","body":"What and why."}' ;;
  *) echo x > "f$n.txt"; echo "{\\"status\\":\\"completed\\",\\"summary\\":[],\\"files_modified\\":[\\"f$n.txt\\"],\\"verification\\":[]}" ;;
esac
`;

const common = `agents: {quick: {type: command, label: quick, command: [sh, tools/agent.sh]}}
roles: {executor: quick, reviewer: script}
isolation: worktree
planning: {max_cycles: 0}
knowledge: {gate: never}
`;

/** Writes what a flow needs: the agent, the settings, and these issues, all parts of issue 100. Returns how one more file is written. */
export const writeFlow = (
  workspace: string,
  { configuration, issues }: { readonly configuration: string; readonly issues: readonly string[] },
): ((path: string, text: string) => void) => {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };
  write('tools/agent.sh', agent);
  write('.ralph/config.yaml', `${common}${configuration}`);
  write('.ralph/issues/100.md', '---\ntitle: All\nstate: backlog\n---\nAll.\n');
  for (const id of issues)
    write(
      `.ralph/issues/${id}.md`,
      `---\ntitle: Issue ${id}\nstate: research-needed\nestimate: S\nparent: "100"\n---\nText.\n`,
    );
  return write;
};
