import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImageResult, ImageTask } from './imageWorker.ts';

/** Result of decoding one picture. */
export type Decoded =
  | ImageResult
  /** Stopped at the time limit. */
  | { failed: 'late' }
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
  /** Time limit, from the moment the process takes the picture. */
  limitMs: number;
  gone?: AbortSignal;
}

/** Longest start of a decoder until it takes its first picture, milliseconds. */
const startMs = 10_000;
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
  let lastWords = '';
  child.stderr?.on('data', (words: Buffer) => {
    lastWords = `${lastWords}${words}`.slice(-2_000);
  });

  const end = (): void => {
    child.ref(); // so that this process is there for its end
    child.kill('SIGKILL'); // a decoder that is busy drawing handles no other signal
  };
  const death = new Promise<Decoded>((resolve) => {
    const failed = (signal: NodeJS.Signals | null, how: string): void => {
      isAlive = false;
      const cause = new Error(`The decoder ended: ${how} ${lastWords}`.trim());
      resolve(crashes.includes(signal) ? { failed: 'crashed', cause } : { failed: 'ended', cause });
    };
    child.once('exit', (code, signal) => failed(signal, String(signal ?? code)));
    // Always with a listener: an error that nobody hears ends this process too.
    child.on('error', (error) => {
      end();
      failed(null, error.message);
    });
  });
  const ready = new Promise<null>((resolve) => child.once('message', () => resolve(null)));
  const answerTo = (task: ImageTask): Promise<Decoded> =>
    new Promise((resolve) => {
      child.once('message', (result) => resolve(result as ImageResult));
      child.send(task, () => undefined); // when sending fails the process has ended, which `exit` reports
    });

  return {
    async decode(task, { limitMs, gone }) {
      const stop = new Promise<Decoded>((resolve) => {
        gone?.addEventListener('abort', () => resolve({ failed: 'gone' }), { once: true });
        if (gone?.aborted) resolve({ failed: 'gone' });
      });
      child.channel?.ref();
      const early = Promise.race([ready, death, stop]);
      const decoded =
        (await before(startMs, early, { failed: 'ended', cause: notStarted() })) ??
        (await before(limitMs, Promise.race([answerTo(task), death, stop]), { failed: 'late' }));
      if ('failed' in decoded) end();
      else child.channel?.unref();
      return decoded;
    },
    end,
    get isAlive() {
      return isAlive;
    },
    ended: death.then(() => undefined),
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

const notStarted = (): Error => new Error(`The decoder did not start within ${startMs / 1000} s`);

const before = async <T>(limitMs: number, work: Promise<T>, otherwise: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, limitMs, otherwise);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
