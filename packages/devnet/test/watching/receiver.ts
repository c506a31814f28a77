import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '../../src/patientServer.ts';

/** A span as it was received. */
export interface Received {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty: the first of its trace. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
  /** 2: it failed. */
  status: number;
  /** Traces that it is linked to. */
  links: string[];
}

/** A receiver of traces: OTLP over HTTP in JSON, as collectors take it. */
export interface Receiver {
  url: string;
  spans(): Received[];
  /** Everything that came. */
  bytes(): Buffer;
  stop(): Promise<void>;
}

export const startReceiver = async (): Promise<Receiver> => {
  const bodies: Buffer[] = [];
  const server = createServer(patientServer, async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    if (isTraces) bodies.push(body);
    response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  server.on('error', (error) => console.error(`The receiver of traces: ${error.message}`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap((body) => spansOf(JSON.parse(body.toString()) as Export)),
    bytes: () => Buffer.concat(bodies),
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};

interface Named {
  key: string;
  value: Record<string, unknown>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Named[] };
    scopeSpans: {
      spans: (Pick<Received, 'name' | 'traceId' | 'spanId'> & {
        parentSpanId?: string;
        attributes: Named[];
        status: { code?: number };
        links?: { traceId: string }[];
      })[];
    }[];
  }[];
}

const spansOf = ({ resourceSpans }: Export): Received[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId = '', attributes, status, links = [] }) => ({
        service,
        name,
        traceId,
        spanId,
        parentSpanId,
        attributes: valuesOf(attributes),
        status: status.code ?? 0,
        links: links.map((link) => link.traceId),
      })),
    );
  });

const valuesOf = (named: readonly Named[]): Record<string, unknown> =>
  Object.fromEntries(named.map(({ key, value }) => [key, Object.values(value)[0]]));
