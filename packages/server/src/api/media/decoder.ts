import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processStat } from '../../processStat.ts';
import type { ImageResult, ImageTask } from './imageWorker.ts';

/** Result of decoding one picture. */
export type Decoded =
  | ImageResult
  /** Stopped when it had cost as much CPU time as it may. */
  | { failed: 'costly' }
  /** Stopped because this machine gave it too little time: the picture is not to blame. */
  | { failed: 'starved' }
  /** Stopped because nobody waits any more. */
  | { failed: 'gone' }
  /** The decoder crashed: the picture is to blame. */
  | { failed: 'crashed'; cause: Error }
  /** The decoder was killed from outside or did not start: the picture is not to blame. */
  | { failed: 'ended'; cause: Error };

/** A process that decodes and draws pictures one after another. It may die at any moment, which is one of its results. */
export interface Decoder {
  decode(task: ImageTask, limits: DecodeLimits): Promise<Decoded>;
  /** Ends the process at once, whatever it does. */
  end(): void;
  readonly isAlive: boolean;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

export interface DecodeLimits {
  /** CPU time for the picture. On systems that do not tell it, time on the clock, after which its cost is not known. */
  limitMs: number;
  gone?: AbortSignal;
}

/** Longest start of a decoder until it takes its first picture, milliseconds. It takes half a second on an idle machine. */
const startMs = 60_000;
/** A picture that was given no more than this share of a core has kept its place for too long. */
const leastShare = 1 / 30;
/** Between two looks at what a picture has cost, milliseconds. */
const shortestLookMs = 50;
const crashes: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP'];
const worker = fileURLToPath(new URL('./imageWorker.ts', import.meta.url));

/**
 * Starts a decoder in a process group of its own: Ctrl-C in a terminal reaches the whole foreground group, but decoders
 * are ended by us. A decoder exits when its channel to us breaks, so it never outlives us.
 *
 * @param fontsFile - Configuration of the fonts that it draws with.
 */
export const startDecoder = (fontsFile: string): Decoder => {
  const child = fork(worker, {
    detached: true,
    execArgv: [],
    env: { PATH: process.env.PATH ?? '', FONTCONFIG_FILE: fontsFile, ...compiled() }, // none of our secrets
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  letUsEnd(child);
  let isAlive = true;
  let isReady = false;
  let lastWords = '';
  child.stderr?.on('data', (words: Buffer) => {
    lastWords = `${lastWords}${words}`.slice(-2_000);
  });

  const end = (): void => {
    child.ref(); // so that this process is there for its end
    child.kill('SIGKILL'); // a decoder that is busy drawing handles no other signal
  };
  /** Resolves the promise of the current picture; cleared afterwards, so that the decoder does not retain its result. */
  let settle: ((decoded: Decoded | null) => void) | null = null;
  let lastResult: Decoded | null = null;
  /** Resolves with null once the process is ready, else with a result. */
  const next = (): Promise<Decoded | null> =>
    new Promise((resolve) => {
      settle = resolve;
      if (lastResult !== null) resolve(lastResult);
    });
  const ended = new Promise<void>((resolve) => {
    const failed = (isItsFault: boolean, how: string): void => {
      isAlive = false;
      const cause = new Error(`The decoder ended: ${how} ${lastWords}`.trim());
      lastResult ??= isItsFault ? { failed: 'crashed', cause } : { failed: 'ended', cause };
      settle?.(lastResult);
      resolve();
    };
    child.once('exit', (code, signal) =>
      failed(crashes.includes(signal) || (signal === null && isReady), String(signal ?? code)),
    );
    // Always with a listener: an error that nobody hears ends this process too.
    child.on('error', (error) => {
      end();
      failed(false, error.message);
    });
  });
  child.on('message', (message) => {
    if (isReady) return settle?.(message as ImageResult);
    isReady = true;
    settle?.(null);
  });
  const spentMs = (): number | null => (child.pid === undefined ? null : (processStat(child.pid)?.spentMs ?? null));
  /**
   * Resolves when the picture has cost as much CPU time as it may, or has kept its place for too long. Only the first is for the picture to
   * answer for: time on the clock passes for good pictures too where others keep the machine busy.
   */
  const outOfTime = async (limitMs: number, signal: AbortSignal): Promise<Decoded> => {
    const [from, spentBefore] = [performance.now(), spentMs()];
    for (let leftMs = limitMs; ; ) {
      await sleep(Math.max(leftMs, shortestLookMs), undefined, { signal });
      const passedMs = performance.now() - from;
      const spent = spentMs();
      const costMs = spent === null || spentBefore === null ? null : spent - spentBefore;
      if (costMs !== null && costMs >= limitMs) return { failed: 'costly' };
      leftMs = limitMs - Math.max(costMs ?? passedMs, passedMs * leastShare);
      if (leftMs <= 0) return { failed: 'starved' };
    }
  };

  return {
    async decode(task, { limitMs, gone }) {
      const over = new AbortController();
      const { signal } = over;
      gone?.addEventListener('abort', () => settle?.({ failed: 'gone' }), { once: true, signal });
      child.channel?.ref();
      let decoded: Decoded | null = gone?.aborted ? { failed: 'gone' } : null;
      try {
        if (!isReady) decoded ??= await Promise.race([next(), sleep(startMs, notStarted(), { signal })]);
        if (decoded === null) {
          child.send(task, () => undefined); // when sending fails the process has ended, which `exit` reports
          decoded = await Promise.race([next(), outOfTime(limitMs, signal)]);
        }
        return decoded as Decoded;
      } finally {
        settle = null;
        over.abort();
        if (decoded === null || 'failed' in decoded) end();
        else child.channel?.unref();
      }
    },
    end,
    get isAlive() {
      return isAlive;
    },
    ended,
  };
};

/** Where this process keeps what Node compiled, so do its decoders, which then start sooner. */
const compiled = (): { NODE_COMPILE_CACHE?: string } => {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
};

/** Lets this process exit while a decoder is idle. */
const letUsEnd = (child: ChildProcess): void => {
  child.unref();
  child.channel?.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
};

const notStarted = (): Decoded => ({
  failed: 'ended',
  cause: new Error(`The decoder did not start within ${startMs / 1000} s`),
});
