import type { Api } from '../../lib/api.ts';
import { pushSubscription } from '../../lib/push.ts';

/** The person is asked by the browser. @throws What the browser says where it does not. */
export const startPush = async (api: Pick<Api, 'subscribePush'>, base: string, publicKey: string): Promise<void> => {
  await navigator.serviceWorker.register(`${base}/push.js`, { scope: `${base}/` });
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = made.toJSON();
  await api.subscribePush({ endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } });
};

export const endPush = async (api: Pick<Api, 'unsubscribePush'>): Promise<void> => {
  const made = await pushSubscription();
  if (made === null) return;
  await api.unsubscribePush({ endpoint: made.endpoint });
  await made.unsubscribe();
};
