import type { FastifyInstance } from 'fastify';

/** The requests that are being worked on: read whole, and not answered yet. */
export interface Running {
  /** Resolves once there is none. */
  none(): Promise<void>;
}

/** Counts from now on; to be called before the app listens. */
export const countRunning = (app: FastifyInstance): Running => {
  const running = new Set<unknown>();
  let waiting: (() => void)[] = [];
  app.addHook('preHandler', (request, reply, done) => {
    running.add(request);
    // Also when the client is gone before it is answered.
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
