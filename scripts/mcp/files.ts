import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type CallToolResult, ProtocolError, SdkHttpError, type Tool } from '@modelcontextprotocol/client';

/** Parameters that hold a picture or a film. */
const fileParameters = ['image', 'banner', 'video'];

/** What may be read, by the end of its name: nothing but pictures and films leaves this machine. */
const types: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};
const mostBytes = 8 * 1024 * 1024;

/** A file that cannot be sent; `path` is the parameter that names it. */
class FileError extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

/** The same parameters with files of this machine as data URIs. */
export const withFiles = async (parameters: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const read = { ...parameters };
  for (const name of fileParameters) {
    const value = read[name];
    if (typeof value === 'string' && !/^(https?|data):/i.test(value)) read[name] = await dataUri(name, value);
  }
  return read;
};

const dataUri = async (name: string, file: string): Promise<string> => {
  const type = types[extname(file).toLowerCase()];
  if (type === undefined)
    throw new FileError(name, `must be a web address or a file: ${Object.keys(types).join(', ')}`);
  try {
    const { size } = await stat(file);
    if (size > mostBytes) throw new FileError(name, `the file is larger than ${mostBytes} bytes`);
    return `data:${type};base64,${(await readFile(file)).toString('base64')}`;
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(name, 'the file cannot be read');
  }
};

/** The list of the API, saying that files are read here. */
export const withFileHints = (tools: readonly Tool[]): Tool[] =>
  tools.map((tool) => {
    const properties = { ...tool.inputSchema.properties } as Record<string, { description?: string }>;
    for (const name of fileParameters) {
      const parameter = properties[name];
      if (parameter !== undefined) {
        properties[name] = {
          ...parameter,
          description: `${parameter.description ?? ''} Or the path of a file.`.trim(),
        };
      }
    }
    return { ...tool, inputSchema: { ...tool.inputSchema, properties: properties as never } };
  });

/** What failed before a tool could answer, in the form in which tools fail. */
export const failure = (error: unknown): CallToolResult => {
  if (error instanceof ProtocolError) throw error;
  const body = bodyOf(error);
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] };
};

const bodyOf = (error: unknown): object => {
  if (error instanceof FileError) {
    const issues = [{ path: error.path, message: error.message }];
    return { error: error.message, code: 'INVALID_PARAMETERS', details: { issues } };
  }
  const status = error instanceof SdkHttpError ? error.status : undefined;
  const code = status === 401 ? 'AUTHENTICATION_FAILED' : status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'NETWORK_ERROR';
  return { error: 'The API did not take the call.', code, details: { status: status ?? null } };
};
