/**
 * What emits `error` and ends the process when nobody listens: connections, servers, child processes, threads, streams. The
 * rule that a check can keep: a file that makes one also says what hears its errors.
 */
const makers: readonly (readonly [module: RegExp, maker: RegExp])[] = [
  [/^pg$/, /new pg\.(?:Client|Pool)\(/g],
  [/^ioredis$/, /new Redis\(/g],
  [/^ws$/, /new (?:WebSocketServer|WebSocket)\(/g],
  [/^node:worker_threads$/, /new Worker\(/g],
  [/^node:child_process$/, /\b(?:spawn|fork|execFile|exec)\(/g],
  [
    /^node:(?:net|tls|https?|http2)$/,
    /\b(?:createServer|createSecureServer|createConnection|(?:net|tls|https?|http2)\.(?:connect|request|get))\(/g,
  ],
  [/^node:fs$/, /\b(?:createReadStream|createWriteStream|watch)\(/g],
  [/^node:stream$/, /new (?:Readable|Writable|Transform|Duplex|PassThrough)\(/g],
  [/^node:events$/, /new EventEmitter\(/g],
  [/^pino$/, /\bpino\.(?:destination|transport)\(/g],
];
const listener = /\.(?:on|addListener)\('error',/g;

/** A sentence when the text makes more of them than it listens to; null when not. */
export const emitterError = (text: string): string | null => {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const imported = [...code.matchAll(/(?<!import type [^;]*)from '([^']+)'/g)].map(([, module = '']) => module);
  const looked = imported.includes('node:stream/promises') ? withoutPipelines(code) : code;
  const made = makers.flatMap(([module, maker]) =>
    imported.some((name) => module.test(name)) ? [...looked.matchAll(maker)].map(([found]) => found) : [],
  );
  const heard = [...code.matchAll(listener)].length;
  if (made.length <= heard) return null;
  return `makes ${made.join(', ')} and listens to 'error' ${heard} times: an error that nobody hears ends the process`;
};

/** The text without what is handed to `pipeline` of `node:stream/promises`, which hears the errors of all of it. */
const withoutPipelines = (code: string): string => {
  const start = code.search(/\bpipeline\(/);
  if (start < 0) return code;
  let depth = 0;
  for (let at = code.indexOf('(', start); at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    if (code[at] === ')') depth -= 1;
    if (depth === 0) return code.slice(0, start) + withoutPipelines(code.slice(at + 1));
  }
  return code;
};
