import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '../src/patientServer.ts';

/** What a provider says, by method; a function is asked with the parameters. */
export type Script = Record<string, unknown>;

export interface ScriptedProvider {
  url: string;
  /** Methods in the order in which they were asked. */
  asked: string[];
  stop(): void;
}

/** A provider over HTTP that says what it is told to, whichever chain there is; a script that changes is said from then on. */
export const startScriptedProvider = async (script: Script): Promise<ScriptedProvider> => {
  const asked: string[] = [];
  const answer = async ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
    asked.push(method);
    const said = script[method];
    return { jsonrpc: '2.0', id, result: typeof said === 'function' ? await said(...params) : said };
  };
  const server = createServer(patientServer, async (request, response) => {
    const calls = JSON.parse(Buffer.concat(await request.toArray()).toString());
    response.end(JSON.stringify(Array.isArray(calls) ? await Promise.all(calls.map(answer)) : await answer(calls)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
};
