import { setTimeout as sleep } from 'node:timers/promises';
import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Tracing } from './config.ts';
import type { Log } from './log.ts';

const flushWithinMs = 3_000;
const tellEveryMs = 60_000;

/**
 * Sends what `tracing.ts` records to the receiver that the `OTEL_…` variables name, in the background: when it is away, spans are
 * dropped and nothing waits. A process does so once.
 *
 * @param name - Of this service, unless a variable names it.
 * @returns Sends what is left and ends it.
 */
export const exportTraces = (tracing: Tracing, name: string, log: Log): (() => Promise<void>) => {
  tellProblems(log);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': name }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(tracing),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: tracing.delayMs }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    const flushed = provider.shutdown().catch(() => undefined); // it was told as a problem
    await Promise.race([flushed, sleep(flushWithinMs, undefined, { ref: false })]);
    for (const part of [trace, context, propagation, diag]) part.disable();
  };
};

/** The standard names of samplers. */
const samplerOf = ({ sampler, ratio }: Tracing): Sampler => {
  const root = sampler.endsWith('always_off')
    ? new AlwaysOffSampler()
    : sampler.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

const silent = (): void => {};

/** A receiver that is away would be told at every attempt. */
const tellProblems = (log: Log): void => {
  let toldMs = Number.NEGATIVE_INFINITY;
  const error = (message: string): void => {
    if (performance.now() - toldMs < tellEveryMs) return;
    toldMs = performance.now();
    log.warn({ reason: message.slice(0, 300) }, 'Traces cannot be sent now.');
  };
  diag.setLogger({ error, warn: silent, info: silent, debug: silent, verbose: silent }, DiagLogLevel.ERROR);
};
