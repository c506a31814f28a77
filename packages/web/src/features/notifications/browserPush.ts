import type { Api } from '../../lib/api.ts';
import { pushSubscription } from '../../lib/push.ts';

/** The person is asked by the browser. @throws What the browser says where it does not. */
export const startPush = async (api: Pick<Api, 'subscribePush'>, base: string, publicKey: string): Promise<void> => {
  await navigator.serviceWorker.register(`${base}/push.js`, { scope: `${base}/` });
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = made.toJSON();
  const asked = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
  try {
    await api.subscribePush(asked);
  } catch (error) {
    // The switch shows what the browser has, so it must not have what the service does not know.
    await made.unsubscribe();
    throw error;
  }
};

export const endPush = async (api: Pick<Api, 'unsubscribePush'>): Promise<void> => {
  const made = await pushSubscription();
  if (made === null) return;
  await made.unsubscribe();
  await api.unsubscribePush({ endpoint: made.endpoint });
};
