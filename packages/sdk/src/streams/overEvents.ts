import { MintageError } from '@mintage/protocol/errors';
import { createParser } from 'eventsource-parser';
import { errorOf, unreachable } from '../call.ts';
import type { Subscription } from '../generated/types.ts';
import { mostBytes, textOf, tooLong } from '../textOf.ts';
import { type Connect, type Opening, parseMessage, usualSilenceMs } from './wire.ts';

/** Server-sent events over `fetch`, read at the pace of the reader: what it does not read waits in the service. */
export const overEvents = (settings: { fetch?: typeof fetch; silenceMs?: number }): Connect =>
  async function* ({ endpoint, subscription, authorization, signal }: Opening) {
    const url = `${endpoint}/stream?${queryOf(subscription)}`;
    const bearer = await authorization();
    const ending = new AbortController();
    const whole = AbortSignal.any([signal, ending.signal]);
    /** Of the service; a reader that takes its time does not count. */
    const heard = async <T>(something: Promise<T>): Promise<T> => {
      const timer = setTimeout(
        () => ending.abort(new Error('the stream is silent')),
        settings.silenceMs ?? usualSilenceMs,
      );
      try {
        return await something;
      } finally {
        clearTimeout(timer);
      }
    };
    try {
      const headers = bearer === undefined ? undefined : { authorization: bearer };
      const request: RequestInit = { redirect: 'error', headers, signal: whole };
      const response = await heard((settings.fetch ?? fetch)(url, request)).catch((error: unknown) => {
        throw unreachable(url, error);
      });
      if (!response.ok || response.body === null) {
        const text = await heard(textOf(response)).catch((error: unknown) => {
          throw error instanceof MintageError ? error : unreachable(url, error);
        });
        throw errorOf(response, text, url);
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const read: string[] = [];
      let failure: MintageError | null = null;
      const parser = createParser({
        onEvent: ({ data }) => read.push(data),
        onError({ type }) {
          if (type === 'max-buffer-size-exceeded') failure = tooLong(url);
        },
        maxBufferSize: mostBytes,
      });
      for (;;) {
        const { done, value } = await heard(reader.read()).catch(() => ({ done: true, value: undefined }));
        if (done || value === undefined) return;
        parser.feed(value);
        if (failure !== null) throw failure;
        for (const data of read.splice(0)) yield parseMessage(data, subscription.topic);
      }
    } finally {
      ending.abort();
    }
  };

const plural: Record<string, string> = { tokenId: 'tokenIds', wallet: 'wallets', currency: 'currencies' };

/** Singular and plural are one filter, lists are separated by commas. */
const queryOf = (subscription: Subscription): URLSearchParams => {
  const lists: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(subscription)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const key = plural[name] ?? name;
    lists[key] = [...(lists[key] ?? []), ...[value].flat().map(String)];
  }
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(lists)) query.set(name, values.join(','));
  return query;
};
