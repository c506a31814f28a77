import { MintageError } from '@mintage/sdk';
import { useSyncExternalStore } from 'react';
import type { Api } from './api.ts';
import { store, stored } from './storage.ts';
import { useStored } from './useStored.ts';
import { wordsOf } from './wordsOf.ts';

/** A referral code that somebody wants to enter. It is kept in this browser until they are signed in. */
export interface Invitation {
  code: string;
  network: 'mainnet' | 'testnet';
}

/** How entering it went. */
export interface Joining {
  state: 'entering' | 'entered' | 'refused' | 'failed';
  code: string;
  /** What to say, in a sentence; '' while it is entered. */
  text: string;
}

const name = 'invitation';
const listeners = new Set<() => void>();
let joining: Joining | null = null;

const set = (next: Joining | null): void => {
  joining = next;
  for (const listener of listeners) listener();
};

export const useInvitation = (): Invitation | null => useStored<Invitation>(name);
export const keepInvitation = (invitation: Invitation): void => {
  set(null);
  store(name, invitation);
};

/** Enters what is kept; whoever calls is signed in. What the service refuses for good is forgotten. */
export const enterKept = async (api: Pick<Api, 'enterReferralCode'>): Promise<void> => {
  const invitation = stored<Invitation>(name);
  if (invitation === null || joining?.state === 'entering') return;
  const { code, network } = invitation;
  set({ state: 'entering', code, text: '' });
  try {
    const { message } = await api.enterReferralCode({ referral_code: code, network_mode: network });
    store(name, null);
    set({ state: 'entered', code, text: message });
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    const isFinal = !error.kind.retryable && error.code !== 'AUTHENTICATION_FAILED';
    if (isFinal) store(name, null);
    set({
      state: isFinal ? 'refused' : 'failed',
      code,
      text: wordsOf(error),
    });
  }
};

/** The last one that was entered in this page; null: none. */
export const useJoining = (): Joining | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => joining,
    () => null,
  );

export const forgetJoining = (): void => set(null);
