/**
 * Every name of a trace in one place. Those that begin with `gen_ai.` are of OpenTelemetry's conventions for generative AI, which are still in
 * development; the others are ours.
 */
export const names = {
  operation: 'gen_ai.operation.name',
  workflow: 'gen_ai.workflow.name',
  agentName: 'gen_ai.agent.name',
  agentId: 'gen_ai.agent.id',
  agentVersion: 'gen_ai.agent.version',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  model: 'gen_ai.request.model',
  toolName: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  error: 'error.type',
  role: 'ralph.role',
  mode: 'ralph.mode',
  task: 'ralph.task',
  attempt: 'ralph.attempt',
  status: 'ralph.session.status',
  signal: 'ralph.signal.type',
  signalId: 'ralph.signal.id',
} as const;

/** Values of `operation`, which are the first word of a span's name too. */
export const operations = {
  session: 'invoke_workflow',
  agent: 'invoke_agent',
  planner: 'plan',
  tool: 'execute_tool',
} as const;
