import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What a tool answered: the structured form, or the error that its text says. */
export interface ToolAnswer {
  isError: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from tool to tool and is what the test asserts
  body: any;
  text: string;
}

export interface ToolClient {
  /** Of the protocol, as the two agreed. */
  version: string | undefined;
  names(): Promise<string[]>;
  call(name: string, parameters?: object, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

const identity = { name: 'a test', version: '1.0.0' };
const requestInit = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });
const request = (name: string, parameters: object, meta?: Record<string, unknown>) => ({
  name,
  arguments: parameters as never,
  ...(meta === undefined ? {} : { _meta: meta }),
});

/** The official client of the newer era of the protocol. */
export const connectNew = async (url: string, key: string): Promise<ToolClient> => {
  const client = new Client(identity, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), requestInit(key)));
  return {
    version: client.getNegotiatedProtocolVersion(),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, parameters = {}, meta) => answerOf(await client.callTool(request(name, parameters, meta))),
    close: () => client.close(),
  };
};

/** The official client of the era before. */
export const connectEarlier = async (url: string, key: string): Promise<ToolClient> => {
  const client = new EarlierClient(identity);
  const transport = new EarlierTransport(new URL(url), requestInit(key));
  await client.connect(transport as never);
  return {
    version: transport.protocolVersion,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, parameters = {}, meta) => answerOf(await client.callTool(request(name, parameters, meta))),
    close: () => client.close(),
  };
};

const answerOf = (result: object): ToolAnswer => {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: object;
  };
  const text = content.map((part) => part.text).join('\n');
  return { isError: isError === true, body: isError === true ? JSON.parse(text) : structuredContent, text };
};
