import type { IncomingMessage } from 'node:http';
import { MintageError } from '@mintage/protocol';
import type { FastifyRequest } from 'fastify';
import { namedWallet } from '../../accounts/namedWallet.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import { createPlaces, type PlaceOptions } from '../../limits/places.ts';
import type { Sender } from '../../limits/shares.ts';
import { closedSignal } from '../../wire/goneSignal.ts';
import { anonymousBodyLimit, mediaBodyLimit, signedReadLimit, usualBodyLimit } from '../../wire/limits.ts';
import { parseJson } from '../../wire/parseJson.ts';
import type { ServiceContext } from '../serviceContext.ts';

type Done = (error: Error | null, body?: unknown) => void;

/** Limits on large bodies in progress. Callers without a credential take no place from those with one. */
const provedPlaces: PlaceOptions = { perOwner: 2, perAddress: 4, all: 16 };
const unprovedPlaces: PlaceOptions = { perOwner: 2, perAddress: 2, all: 8 };

/** Largest body that this request may have: by what it calls and by who calls, known before a byte of it is read. */
export const bodyLimitOf = ({ routeOptions, caller, headers }: FastifyRequest): number => {
  const operation = routeOptions.config?.operation;
  if (caller !== null) return operation?.media ? mediaBodyLimit : usualBodyLimit;
  if (namedWallet(headers.authorization) === null) return anonymousBodyLimit;
  if (operation?.walletSigned) return signedReadLimit;
  return operation?.media?.signedInside ? mediaBodyLimit : anonymousBodyLimit;
};

const senderOf = ({ caller, ip }: FastifyRequest): Sender => {
  const address = clientAddress(ip);
  return { owner: caller?.userId ?? address, address };
};

/** Reads request bodies: first decides whether a body is accepted, then reads it. */
export interface BodyReader {
  /**
   * To be called before the body is read. A body above 256 KiB takes a place until the request is answered.
   *
   * @throws MintageError PAYLOAD_TOO_LARGE, and as `Places.take`.
   */
  admit(request: FastifyRequest): void;
  /** Reads one JSON object; a body above 256 KiB is parsed off the event loop. */
  readJson(request: FastifyRequest, raw: IncomingMessage, done: Done): void;
}

export const createBodyReader = ({ offLoop }: Pick<ServiceContext, 'offLoop'>): BodyReader => {
  const proved = createPlaces(provedPlaces);
  const unproved = createPlaces(unprovedPlaces);
  const withPlace = new WeakSet<FastifyRequest>();

  /** @param bytes - Length of the body as far as it is known. */
  const requireSize = (request: FastifyRequest, bytes: number): void => {
    const limit = bodyLimitOf(request);
    if (bytes > limit) throw tooLarge(limit);
    if (bytes <= usualBodyLimit || withPlace.has(request)) return;
    const giveBack = (request.caller ? proved : unproved).take(senderOf(request));
    withPlace.add(request);
    request.response.once('close', giveBack);
  };

  const parseLarge = async (request: FastifyRequest, chunks: readonly Buffer[], length: number): Promise<unknown> => {
    const sender = { ...senderOf(request), isProved: request.caller !== null, gone: closedSignal(request.response) };
    const body = await offLoop.parseBody(sender, joined(chunks, length));
    const media = request.routeOptions.config?.operation?.media;
    if (media?.of?.(body) === false) throw tooLarge(usualBodyLimit);
    return body;
  };

  return {
    admit: (request) => requireSize(request, Number(request.headers['content-length'] ?? 0)),

    readJson(request, raw, done) {
      const chunks: Buffer[] = [];
      let length = 0;

      const end = (error: Error | null, body?: unknown): void => {
        raw.off('data', onData).off('end', onEnd).off('error', end);
        done(error, body);
      };
      const onData = (chunk: Buffer): void => {
        chunks.push(chunk);
        length += chunk.length;
        try {
          requireSize(request, length);
        } catch (error) {
          raw.pause();
          end(error as Error);
        }
      };
      const onEnd = (): void => {
        if (length > usualBodyLimit) {
          parseLarge(request, chunks, length).then((body) => end(null, body), end);
          return;
        }
        const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length);
        let body: unknown;
        try {
          body = length === 0 ? {} : parseJson(bytes.toString('utf8'));
        } catch (error) {
          end(error as Error);
          return;
        }
        end(null, body);
      };
      raw.on('data', onData).on('end', onEnd).on('error', end);
    },
  };
};

/**
 * Copies the chunks into memory of its own, which can be transferred to a worker; chunks may share memory with other
 * requests.
 */
const joined = (chunks: readonly Buffer[], length: number): ArrayBuffer => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes.buffer;
};

const tooLarge = (limit: number): MintageError =>
  new MintageError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit / 1024} KiB`);
