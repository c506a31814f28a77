import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/**
 * What is traced, by OpenTelemetry's API, which does nothing before `exportTraces.ts` is loaded. A span is read by whoever reads
 * traces, so it holds names, numbers and ids: never a body, a header, an address of a page, or a sentence that could quote one.
 */
const tracer = trace.getTracer('mintage');

/** Whether spans go anywhere: what exports them brings the fields by which a trace is continued elsewhere. */
export const isTracing = (): boolean => propagation.fields().length > 0;

/** Begins the span of a request; a caller who sent `traceparent` has it in a trace of their own. */
export const startRequest = (
  name: string,
  headers: object,
  attributes: Attributes,
): { span: Span; within: Context } => {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  return { span, within: trace.setSpan(parent, span) };
};

/** Does the work in a span below the current one. */
export const inSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, (error as { code?: string }).code ?? (error as Error).name);
      throw error;
    } finally {
      span.end();
    }
  });

/** Says more of the current span, if there is one. */
export const describeSpan = (attributes: Attributes): void => {
  trace.getActiveSpan()?.setAttributes(attributes);
};

/** @param type - A code or a name, such as `NETWORK_ERROR`. */
export const fail = (span: Span, type: string): void => {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
};

/** The current span as a `traceparent` (W3C), by which another process goes on in its trace; null without one. */
export const currentTrace = (): string | null => {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
};

export interface Done {
  name: string;
  /** Unix milliseconds. */
  startedMs: number;
  attributes: Attributes;
  /** A `traceparent` to go on from; absent: a trace of its own. */
  parent?: string;
  /** Of other traces that it has to do with. */
  links?: readonly string[];
  /** A code, when it failed. */
  error?: string | null;
}

/** Records what was done until now. */
export const recordSpan = ({ name, startedMs, attributes, parent, links = [], error }: Done): void => {
  const linked = links.flatMap((link) => trace.getSpanContext(contextOf(link)) ?? []);
  const options = { startTime: startedMs, attributes, links: linked.map((one) => ({ context: one })) };
  const span = tracer.startSpan(name, options, parent === undefined ? ROOT_CONTEXT : contextOf(parent));
  if (error) fail(span, error);
  span.end();
};

const contextOf = (traceparent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent });
