import { ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { names } from './names.ts';
import { rootKey, type SpanStep } from './span-steps.ts';

interface TraceOptions {
  /** The collector, with or without `/v1/traces`. */
  readonly url: string;
  readonly version: string;
  /** Ids of the trace and of its root, 32 and 16 hexadecimal digits: agents were told them before the first span began. */
  readonly traceId: string;
  readonly rootId: string;
  readonly newSpanId: () => string;
}

interface TraceExport {
  readonly take: (step: SpanStep) => void;
  /** Sends what is left, for two seconds at most. Resolves with the first reason why the collector did not take something; `null` when it took all. */
  readonly close: () => Promise<string | null>;
}

/** Milliseconds that a collector has for one request, and that the end of a session waits for it. */
const patience = 2_000;

/** Exports spans in the background. A collector that is away or slow costs only the spans. */
export const startExport = (options: TraceOptions): TraceExport => {
  let failure: string | null = null;
  const inner = new OTLPTraceExporter({ url: endpoint(options.url), timeoutMillis: patience });
  const exporter: SpanExporter = {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        if (result.code !== 0) failure ??= result.error?.message || 'it gave no reason';
        done(result);
      }),
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  };
  let isRoot = true;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'ralph-tui', 'service.version': options.version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000, exportTimeoutMillis: patience }),
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
      const late = new Promise<string>((resolve) => {
        setTimeout(() => resolve('it did not answer in time'), patience).unref();
      });
      const sent = provider.shutdown().then(
        () => failure,
        (error: unknown) => failure ?? (error instanceof Error ? error.message : String(error)),
      );
      return Promise.race([sent, late]);
    },
  };
};

const endpoint = (url: string): string => {
  const { pathname } = new URL(url);
  return pathname === '/' ? new URL('/v1/traces', url).href : url;
};
