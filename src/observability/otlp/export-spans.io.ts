import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Clock } from '../../base/clock.ts';
import { names } from './names.ts';
import { createSpanQueue, type Unsent } from './span-queue.ts';
import { rootKey, type SpanStep } from './span-steps.ts';

interface TraceOptions {
  /** The collector, with or without `/v1/traces`. */
  readonly url: string;
  readonly version: string;
  /** Ids of the trace and of its root, 32 and 16 hexadecimal digits: agents were told them before the first span began. */
  readonly traceId: string;
  readonly rootId: string;
  readonly newSpanId: () => string;
  readonly clock: Clock;
}

interface TraceExport {
  readonly take: (step: SpanStep) => void;
  /** Sends what is left, as `span-queue.ts` bounds it. Resolves with what the collector did not take; `null` when it took all. */
  readonly close: () => Promise<Unsent | null>;
}

/**
 * Milliseconds of silence after which a request has failed. Below the first pause of the SDK's own repetition, which would keep the program alive
 * after its end: the queue repeats instead.
 */
const patience = 750;

/** Exports spans in the background. A collector that is away or slow costs only the spans. */
export const startExport = (options: TraceOptions): TraceExport => {
  const url = endpoint(options.url);
  const agent = new (url.startsWith('https:') ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: patience, httpAgentOptions: () => agent });
  const queue = createSpanQueue<ReadableSpan>({
    clock: options.clock,
    send: (spans) =>
      new Promise((resolve) =>
        exporter.export([...spans], ({ code, error }) =>
          resolve(code === 0 ? null : error?.message || 'it gave no reason'),
        ),
      ),
  });
  let isRoot = true;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'ralph-tui', 'service.version': options.version }),
    spanProcessors: [
      { onStart: () => {}, onEnd: queue.add, forceFlush: async () => {}, shutdown: async () => {} },
    ],
    idGenerator: {
      generateTraceId: () => options.traceId,
      generateSpanId: () => {
        const id = isRoot ? options.rootId : options.newSpanId();
        isRoot = false;
        return id;
      },
    },
  });
  const tracer = provider.getTracer('ralph-tui', options.version);
  const spans = new Map<string, Span>();
  const take = (step: SpanStep): void => {
    if (step.kind === 'begin') {
      const parent = step.parent === null ? undefined : (spans.get(step.parent) ?? spans.get(rootKey));
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
      spans.set(
        step.key,
        tracer.startSpan(step.name, { startTime: step.at, attributes: step.attributes }, context),
      );
      return;
    }
    const span = spans.get(step.key);
    if (span === undefined) return;
    if (step.kind === 'note') span.addEvent(step.name, step.attributes, step.at);
    else span.setAttributes(step.attributes);
    if (step.kind !== 'end') return;
    spans.delete(step.key);
    if (step.error !== null) {
      span.setAttribute(names.error, step.error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: step.error });
    }
    span.end(step.at);
  };
  return {
    take,
    close: async () => {
      for (const [key, span] of [...spans].toReversed()) {
        spans.delete(key);
        span.end();
      }
      const unsent = await queue.close();
      // A request without an answer would keep the program alive.
      agent.destroy();
      return unsent;
    },
  };
};

const endpoint = (url: string): string => {
  const { pathname } = new URL(url);
  return pathname === '/' ? new URL('/v1/traces', url).href : url;
};
