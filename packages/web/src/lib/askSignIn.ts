import { useSyncExternalStore } from 'react';

/** What the shell can be asked to show from anywhere: signing in, or adding a second way into the account. */
export type Question = 'signIn' | 'secondWay';

interface Asked {
  question: Question;
  resolve(isDone: boolean): void;
}

let asked: Asked | null = null;
const listeners = new Set<() => void>();

const ask = (question: Question): Promise<boolean> => {
  asked?.resolve(false);
  return new Promise((resolve) => {
    asked = { question, resolve };
    for (const listener of listeners) listener();
  });
};

/** Opens the dialog that signs in. @returns Whether somebody is signed in at its end. */
export const askSignIn = (): Promise<boolean> => ask('signIn');

/**
 * Offers a second way into the account, before money goes to a wallet that one lost passkey would lock.
 *
 * @returns Whether one was added; false: the person goes on without.
 */
export const askSecondWay = (): Promise<boolean> => ask('secondWay');

/** Closes what is open. */
export const answerAsked = (isDone: boolean): void => {
  const { resolve } = asked ?? {};
  asked = null;
  for (const listener of listeners) listener();
  resolve?.(isDone);
};

/** What the shell shows; null: nothing. */
export const useAsked = (): Question | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => asked?.question ?? null,
    () => null,
  );
