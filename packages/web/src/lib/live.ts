import type { StreamItem, StreamSettings, Streams, Subscription, Topic } from '@mintage/sdk';
import { useEffect, useRef } from 'react';
import { useDeployment } from './deployment.ts';
import { ownAuth } from './session.ts';

type Wanted<Name extends Topic> = Extract<Subscription, { topic: Name }>;

let streams: Promise<Streams> | null = null;

/** Loaded once, when the first page wants to follow something. */
const open = (settings: StreamSettings): Promise<Streams> => {
  streams ??= import('@mintage/sdk').then(({ createStreams }) => createStreams(settings));
  return streams;
};

/**
 * Follows a topic while the component is there. `onItem` is called for every event, for every one that the chain took back
 * (`retract`), and with `begin` when what is shown has to be read anew.
 *
 * @param subscription - Null: nothing yet.
 */
export const useLive = <Name extends Topic>(
  subscription: Wanted<Name> | null,
  onItem: (item: StreamItem<Name>) => void,
): void => {
  const { base } = useDeployment();
  const newest = useRef(onItem);
  newest.current = onItem;
  const key = JSON.stringify(subscription);
  useEffect(() => {
    const wanted = JSON.parse(key) as Wanted<Name> | null;
    if (wanted === null) return;
    const end = new AbortController();
    const follow = async (): Promise<void> => {
      const { stream } = await open({ baseUrl: location.origin + base, auth: ownAuth });
      for await (const item of stream(wanted, { signal: end.signal })) newest.current(item);
    };
    follow().catch((error: unknown) => {
      // The stream connects again by itself; where it cannot, the page goes on with what it reads.
      if (!end.signal.aborted) console.warn('The live values stopped.', error);
    });
    return () => end.abort();
  }, [key, base]);
};
