/** Browser push: a worker of the browser shows what the service tells it, also while no page is open. */

export const hasPush = (): boolean =>
  typeof navigator !== 'undefined' &&
  'serviceWorker' in navigator &&
  'PushManager' in globalThis &&
  'Notification' in globalThis;

/** What this browser told its push service to take for us; null: nothing. */
export const pushSubscription = async (): Promise<PushSubscription | null> => {
  const worker = hasPush() ? await navigator.serviceWorker.getRegistration() : undefined;
  return (await worker?.pushManager.getSubscription()) ?? null;
};

/** Whoever is here next is not told of what concerned the one before. The service hears of it from the push service. */
export const forgetPush = async (): Promise<void> => {
  await (await pushSubscription())?.unsubscribe();
};
