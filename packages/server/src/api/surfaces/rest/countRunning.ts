import type { FastifyInstance } from 'fastify';

/** Requests in progress: fully received and not yet answered. */
export interface Running {
  /** Resolves once no request is in progress. */
  none(): Promise<void>;
}

/** Starts counting. Call it before the app listens. */
export const countRunning = (app: FastifyInstance): Running => {
  const running = new Set<unknown>();
  let waiting: (() => void)[] = [];
  app.addHook('preHandler', (request, reply, done) => {
    running.add(request);
    // Also fires when the client disconnects before the answer.
    reply.raw.once('close', () => {
      running.delete(request);
      if (running.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    });
    done();
  });
  return {
    none: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
};
