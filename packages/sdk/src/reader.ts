import type { Auth } from './auth/auth.ts';
import { createSend, type SendAs, type Settings } from './call.ts';
import type { CallOptions } from './callOptions.ts';
import type { Calls, InfoCalls } from './generated/calls.ts';
import { infoTypes, routes } from './generated/routes.ts';

/** Every operation over HTTP. */
export interface Reader extends Calls {
  /** The reads of `/info`, in its own form; a wallet may sign those of its own account. */
  readonly info: InfoCalls;
  /** From now on this caller calls; null: nobody in particular. */
  use(auth: Auth | null): void;
}

/** A reader together with what else is built on its calls. */
export interface Caller {
  reader: Reader;
  send: SendAs;
  auth(): Auth | null;
}

/** The smallest client: calls and nothing else. */
export const createReader = (settings: Settings): Reader => createCaller(settings).reader;

export const createCaller = (settings: Settings): Caller => {
  let auth = settings.auth ?? null;
  const send = createSend(settings);
  const over = (route: string) => (input?: object, options?: CallOptions) => send(auth, route, input, options);
  const calls = Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, over(route)]));
  const info = Object.fromEntries(
    infoTypes.map((type) => [
      type,
      (input?: object, options?: CallOptions) => send(auth, 'POST /info', { ...input, type }, options),
    ]),
  );
  const use = (other: Auth | null): void => {
    auth = other;
  };
  // The generated types are made of the same list as the table of routes.
  const reader = { ...calls, info, use } as unknown as Reader;
  return { reader, send, auth: () => auth };
};
