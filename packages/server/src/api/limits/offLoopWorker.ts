import { hash } from 'node:crypto';
import { creationDigests, MintageError } from '@mintage/protocol';
import { jsonSorted } from '../../jsonText.ts';
import { parseJson } from '../wire/parseJson.ts';

/** Runs in a worker thread: work that takes long because a body is long, so that it delays nobody else. */

export type Creation = Parameters<typeof creationDigests>;

/** An error loses its class between threads, so a refusal is returned as data. */
export type ParsedBody =
  | { body: Record<string, unknown> }
  | { refused: Pick<MintageError, 'code' | 'message' | 'details'> };

export const parseBody = (bytes: ArrayBuffer): ParsedBody => {
  try {
    return { body: parseJson(Buffer.from(bytes).toString('utf8')) };
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    const { code, message, details } = error;
    return { refused: { code, message, details } };
  }
};

export const digestsOfCreation = (creation: Creation) => creationDigests(...creation);

/** SHA-256 of a value's JSON text; values that differ only in the order of their keys have one. */
export const hashOfJson = (value: unknown): string => hash('sha256', jsonSorted(value), 'hex');
