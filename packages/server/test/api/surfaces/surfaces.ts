import { type Operation, routesOf } from '@mintage/protocol';
import { actionTypes, infoTypes, operations, RegisterAction, StreamTopic } from '@mintage/protocol/operations';
import type { z } from 'zod';
import { basePath } from '../../../src/api/wire/limits.ts';

type Fields = Record<string, unknown>;

/** One way to call the service over HTTP. */
export interface Surface {
  /** `POST /functions/v1/info getUserFees`. */
  name: string;
  access: Operation['access'];
  /** Of what the caller chooses; the envelope around it is in `request`. */
  input: z.ZodType;
  /** Of the docs, without the envelope. */
  example: Fields | undefined;
  request(input: Fields): { method: 'GET' | 'POST'; url: string; payload?: object };
  /** The answer has no end. */
  lasts: boolean;
}

/**
 * Every route and alias of the operation list, and below `/info` and `/platform-action` every type: made from the list, so
 * that a new operation is in it.
 *
 * @param platformSlug - Of the deployment.
 * @param source - As the deployment's `NETWORK`.
 */
export const surfacesOf = (platformSlug: string, source: 'Mainnet' | 'Testnet'): Surface[] =>
  (operations as readonly Operation[]).flatMap((operation) =>
    routesOf(operation, platformSlug).flatMap(({ method, path }) =>
      (operation.atRoot ? [basePath + path, path] : [basePath + path]).flatMap((full) =>
        variantsOf(operation, source).map(({ name, access, input, example, wrap }) => ({
          name: `${method} ${full}${name === undefined ? '' : ` ${name}`}`,
          access,
          input,
          example: example as Fields | undefined,
          lasts: operation.produces === 'text/event-stream',
          request: (fields: Fields) =>
            method === 'POST'
              ? { method, url: full, payload: wrap(fields) }
              : { method, url: urlWith(full, wrap(fields)) },
        })),
      ),
    ),
  );

interface Variant extends Pick<Operation, 'access' | 'input' | 'example'> {
  name?: string;
  wrap(fields: Fields): Fields;
}

const variantsOf = (operation: Operation, source: string): Variant[] => {
  switch (operation.name) {
    case 'info':
      return Object.values(infoTypes).map((type) => ({
        name: type.operation.name,
        access: type.operation.access,
        input: type.operation.input,
        example: (type.operation as Operation).example,
        wrap: (fields) => ({ type: type.operation.name, ...fields }),
      }));
    case 'platformAction':
      return [
        ['register', { access: 'caller', input: RegisterAction.omit({ type: true }), example: undefined }] as const,
        ...Object.entries(actionTypes as Record<string, Operation>),
      ].map(([type, { access, input, example }]) => ({
        name: type,
        access,
        input,
        example,
        wrap: (fields) => ({ source, expiresAfter: 300_000, action: { type, ...fields } }),
      }));
    case 'stream':
      return StreamTopic.options.map((topic) => ({
        name: topic,
        access: ['tokenActivity', 'posts', 'votes'].includes(topic) ? 'public' : 'caller',
        input: operation.input,
        wrap: (fields) => ({ ...fields, topic }),
      }));
    default: {
      const { access, input, example } = operation;
      return [{ access, input, example, wrap: (fields) => fields }];
    }
  }
};

/** Path parameters into the path, the rest behind it. */
const urlWith = (path: string, fields: Fields): string => {
  const rest = { ...fields };
  const filled = path.replace(/:(\w+)/g, (_, key: string) => {
    const value = String(rest[key]);
    delete rest[key];
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(
    Object.entries(rest).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
};
