import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../src/freePort.ts';
import { until } from '../src/until.ts';
import { processesOf } from './processes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mintage-terminal-test-'));
chmodSync(scratch, 0o755); // the embedded database may run as another user
const started: ChildProcess[] = [];

/** Gives what it runs a pseudo-terminal of its own: what we write is typed there, what it shows comes back. */
const inTerminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

interface Terminal {
  child: ChildProcess;
  /** What it has shown so far. */
  shown(): string;
  type(keys: string): void;
  /** The process id of what runs in it. */
  service(): number;
  exitCode: Promise<number>;
}

const openTerminal = (command: string[], env: Record<string, string>): Terminal => {
  const child = spawn('python3', ['-c', inTerminal, ...command], { cwd: root, env: { ...process.env, ...env } });
  started.push(child);
  let shown = '';
  child.stdout.on('data', (text: Buffer) => {
    shown += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    shown += text;
  });
  return {
    child,
    shown: () => shown,
    type: (keys) => child.stdin.write(keys),
    service: () => childrenOf(child.pid as number, 'start.mjs')[0] as number,
    exitCode: once(child, 'exit').then(([code]) => code as number),
  };
};

/** Half a minute of drawing in two kilobytes. */
const endless = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000"><defs><g id="a0"><rect width="1000" height="1000" opacity=".5"/></g>${Array.from(
  { length: 18 },
  (_, level) => `<g id="a${level + 1}"><use href="#a${level}"/><use href="#a${level}"/></g>`,
).join('')}</defs><use href="#a18"/></svg>`;
const small = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

interface Service {
  terminal: Terminal;
  home: string;
  create(svg: string): Promise<Response>;
  /** Begins to create, and leaves as soon as the body is out. */
  createAndLeave(svg: string, isBegun: () => boolean): Promise<void>;
}

const startService = async (name: string): Promise<Service> => {
  const home = join(scratch, name);
  const port = await freePort();
  const env = {
    DATABASE_URL: '',
    MINTAGE_HOME: home,
    PORT: String(port),
    CHAINS: 'base-sepolia',
  };
  const terminal = openTerminal([process.execPath, 'scripts/start.mjs'], env);
  await until(() => {
    if (terminal.child.exitCode !== null) throw new Error(terminal.shown());
    return terminal.shown().includes('Ctrl-C stops everything');
  });
  const apiKey = /API key +(\S+)/.exec(terminal.shown())?.[1] as string;
  const wallet = /Wallet +(\S+)/.exec(terminal.shown())?.[1] as string;
  const path = '/functions/v1/create-token-transaction';
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const bodyOf = (svg: string): string =>
    JSON.stringify({
      name: 'Boat',
      symbol: 'BOAT',
      description: 'A boat',
      chainSlug: 'base-sepolia',
      userAddress: wallet,
      simulate: false,
      image: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    });
  return {
    terminal,
    home,
    create: (svg) => fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: bodyOf(svg) }),
    async createAndLeave(svg, isBegun) {
      const socket = createConnection(port, '127.0.0.1');
      await once(socket, 'connect');
      const body = bodyOf(svg);
      const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, 'content-length': body.length });
      const head = lines.map(([field, value]) => `${field}: ${value}\r\n`).join('');
      socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
      await until(isBegun);
      await new Promise((resolve) => setTimeout(resolve, 500));
      socket.destroy();
    },
  };
};

/** Process ids of the children of a process that have this word in their command. */
const childrenOf = (parent: number, word: string): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, ppid, state, ...words]) =>
        Number(ppid) === parent && !state?.startsWith('Z') && words.join(' ').includes(word),
    )
    .map(([pid]) => Number(pid));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

describe('npm start in a terminal', () => {
  it('H3 Ctrl-C after an upload, and in the middle of one, stops everything in order', async () => {
    const { terminal, home, create } = await startService('ctrl-c');
    const answer = await create(small);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"success":true')]);
    // The summary is all that is shown: neither what was served, nor requests.
    expect(terminal.shown().trim()).toMatch(/^Mintage is ready after [^]*Ctrl-C stops everything; [^\n]*$/);
    const busy = create(endless).catch(() => 'cut off');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const decoders = childrenOf(terminal.service(), 'imageWorker');
    expect(decoders.length).toBeGreaterThan(0);
    const shownBefore = terminal.shown();
    const service = terminal.service(); // before, because a search that takes long would make the second press a press of its own
    terminal.type('\x03');
    await until(() => terminal.shown().includes('^C'));
    process.kill(service, 'SIGINT'); // as npm does
    expect(await terminal.exitCode, terminal.shown()).toBe(0);
    await busy;
    expect(terminal.shown().slice(shownBefore.length).replace('^C', '').trim()).toBe('');
    const log = readFileSync(join(home, 'postgres/log'), 'utf8');
    expect(log.trim()).toMatch(/database system is shut down$/);
    expect(log).not.toMatch(/immediate shutdown request|PANIC|was not properly shut down/);
    expect(processesOf(home)).toEqual([]);
    expect(decoders.filter(isAlive)).toEqual([]);
  });

  it('H3 H5 a caller who leaves takes the drawing along; after kill -9 no process stays', async () => {
    const { terminal, home, create, createAndLeave } = await startService('kill');
    const busy = () => childrenOf(terminal.service(), 'imageWorker');
    await createAndLeave(endless, () => busy().length > 0);
    const answer = await create(small);
    expect(answer.status).toBe(200);
    const cut = create(endless).catch(() => 'cut off');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const decoders = busy();
    expect(decoders.length).toBeGreaterThan(0);
    process.kill(terminal.service(), 'SIGKILL');
    await cut;
    await until(() => decoders.filter(isAlive).length === 0 && processesOf(home).length === 0);
  });
});
