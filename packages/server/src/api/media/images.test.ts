import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { campaign } from '@mintage/devnet/random';
import { until } from '@mintage/devnet/until';
import { MintageError } from '@mintage/protocol';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImages, type Images } from './images.ts';

const { random, cases: kills } = campaign('kills of decoders', 6);
const maxBytes = 1024 * 1024;
const asker = { owner: 'a', address: 'a' };

interface Process {
  pid: number;
  parent: number;
  group: number;
}

/** Of this process, but of files that ran before this one. */
const others = new Set<number>();

/** The decoders of a process. */
const decodersOf = async (parent = process.pid): Promise<Process[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,pgid=,stat=,args=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, , state, ...words]) => {
      const isDecoder = words.some((word) => /imageWorker|tinypool/.test(word));
      return Number(ppid) === parent && isDecoder && !state?.startsWith('Z');
    })
    .map(([pid, ppid, group]) => ({ pid: Number(pid), parent: Number(ppid), group: Number(group) }))
    .filter(({ pid }) => !others.has(pid));
};
/** Those of this process, once `ps` shows what the new processes are: first the older one, which has the first picture. */
const both = async (): Promise<Process[]> => {
  const found = await until(async () => {
    const now = await decodersOf();
    return now.length === 2 && now;
  });
  return found.toSorted((one, other) => one.pid - other.pid);
};
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
/** `stored`, or the code of the error. */
const outcome = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof MintageError) return error.code;
    throw error;
  }
  return 'stored';
};

const png = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
const svg = (body: string, side = 1_000): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${body}</svg>`);
/** An SVG of two kilobytes that takes half a minute to render, without any element that is refused. */
const endless = svg(
  `<defs><g id="a0"><rect width="1000" height="1000" opacity=".5"/></g>${Array.from(
    { length: 18 },
    (_, level) => `<g id="a${level + 1}"><use href="#a${level}"/><use href="#a${level}"/></g>`,
  ).join('')}</defs><use href="#a18"/>`,
);

describe('createImages', () => {
  const open: Images[] = [];
  beforeAll(async () => {
    for (const { pid } of await decodersOf()) others.add(pid);
  });
  const create = (options = {}): Images => {
    const images = createImages(options);
    open.push(images);
    return images;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((images) => images.close()));
  });

  it('H3 an idle decoder that dies ends nobody, and another takes its place', async () => {
    const images = create();
    await images.webp(await png(9), maxBytes, asker);
    for (const { pid } of await both()) process.kill(pid, 'SIGKILL');
    await until(async () => (await decodersOf()).length === 0);
    expect(await outcome(images.webp(await png(9), maxBytes, asker))).toBe('stored');
  });

  it('H3 decoders killed at random under load: every caller gets the picture, or may ask again', async () => {
    const images = create();
    const picture = await png(1_500);
    const killing = (async () => {
      for (let killed = 0; killed < kills; ) {
        const found = await decodersOf();
        const victim = found[random.int(found.length)];
        if (victim !== undefined && isAlive(victim.pid)) {
          process.kill(victim.pid, 'SIGKILL');
          killed += 1;
        }
        await new Promise((resolve) => setTimeout(resolve, random.int(200)));
      }
      return 'over';
    })();
    const outcomes: string[] = [];
    const isOver = () => Promise.race([killing, Promise.resolve('going on')]);
    const users = Array.from({ length: 4 }, async (_, user) => {
      while ((await isOver()) !== 'over')
        outcomes.push(await outcome(images.webp(picture, maxBytes, { owner: String(user), address: String(user) })));
    });
    await Promise.all(users);
    expect(new Set(outcomes).difference(new Set(['stored', 'SERVICE_UNAVAILABLE']))).toEqual(new Set());
    expect(outcomes).toContain('stored');
    expect(await outcome(images.webp(picture, maxBytes, asker))).toBe('stored');
  });

  it('M3 H3 a decoder that is killed at work takes nobody with it; the work is done once more in another', async () => {
    const images = create();
    const attempt = outcome(images.webp(await png(5_000), maxBytes, asker));
    const [first] = await both();
    process.kill(first?.pid as number, 'SIGKILL');
    expect(await attempt).toBe('stored');
    expect((await decodersOf()).map(({ pid }) => pid)).not.toContain(first?.pid);
  });

  it('H3 decoders are out of the reach of Ctrl-C: each leads a process group of its own', async () => {
    const images = create();
    await images.webp(await png(9), maxBytes, asker);
    for (const { pid, group } of await decodersOf()) expect(group).toBe(pid);
  });

  it.each([
    ['idle', svg('')],
    ['at work', endless],
  ])('H3 a decoder that is %s ends when its parent is killed', async (_state, picture) => {
    const source = `import { createImages } from ${JSON.stringify(new URL('./images.ts', import.meta.url).href)};
      const images = createImages({ limitMs: 60_000 });
      await images.webp(Buffer.from(${JSON.stringify(picture.toString('base64'))}, 'base64'), 1_048_576, { owner: 'a', address: 'a' });
      setInterval(() => {}, 1_000);`;
    const parent: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' });
    await until(async () => (await decodersOf(parent.pid)).length > 1);
    const decoders = await decodersOf(parent.pid);
    await new Promise((resolve) => setTimeout(resolve, 700)); // until the decoder has taken the picture
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await until(() => decoders.every(({ pid }) => !isAlive(pid)));
  });

  it('H3 the first picture starts all decoders, so that another’s does not wait for a start', async () => {
    await create().webp(await png(9), maxBytes, asker);
    expect(await both()).toHaveLength(2);
  });

  it.each([
    ['user', () => 'flood'],
    ['address with many accounts', (at: number) => `flood ${at}`],
  ])('H5 one %s floods with endless drawings: another’s picture overtakes it', async (_who, ownerOf) => {
    const images = create({ limitMs: 500 });
    const done: string[] = [];
    const ask = async (owner: string, address: string, picture: Buffer): Promise<void> => {
      done.push(`${address} ${await outcome(images.webp(picture, maxBytes, { owner, address }))}`);
    };
    const flood = Array.from({ length: 3 }, (_, at) => ask(ownerOf(at), 'flood', endless));
    await until(async () => (await decodersOf()).length > 0);
    await ask('other', 'other', await png(1));
    expect(done.filter((one) => one.startsWith('flood')).length).toBeLessThanOrEqual(1);
    expect(done.at(-1)).toBe('other stored');
    await Promise.all(flood);
    expect(done.filter((one) => one === 'flood MEDIA_TOO_LARGE')).toHaveLength(3);
  });

  it('H5 a picture may wait for a busy machine, but not for ever, and is not blamed', async () => {
    const limitMs = 300;
    const images = create({ limitMs });
    const [small, elsewhere] = [await png(9), { owner: 'b', address: 'b' }];
    // At once, so that each of the decoders has started and made one.
    await Promise.all([asker, elsewhere].map((one) => images.webp(small, maxBytes, one)));
    const decoders = await both();
    for (const { pid } of decoders) process.kill(pid, 'SIGSTOP');
    const attempts = [asker, elsewhere].map((one) => outcome(images.webp(small, maxBytes, one)));
    await new Promise((resolve) => setTimeout(resolve, 5 * limitMs));
    process.kill(decoders[0]?.pid as number, 'SIGCONT');
    expect((await Promise.all(attempts)).toSorted()).toEqual(['SERVICE_UNAVAILABLE', 'stored']);
  });

  it('H5 work of a caller who is gone is ended, and what waits for that caller is not begun', async () => {
    const images = create({ limitMs: 60_000 });
    const gone = new AbortController();
    const leaving = { ...asker, gone: gone.signal };
    const left = Promise.all([
      outcome(images.webp(endless, maxBytes, leaving)),
      outcome(images.webp(endless, maxBytes, leaving)),
    ]);
    const [busy] = await both();
    gone.abort();
    expect(await left).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
    await until(() => !isAlive(busy?.pid as number));
  });

  it('H5 a caller who leaves a costly picture early is served after the others', async () => {
    const limitMs = 900;
    const images = create({ limitMs });
    const small = await png(9);
    const from = (address: string) => ({ owner: address, address });
    await Promise.all(['a', 'b'].map((one) => images.webp(small, maxBytes, from(one))));
    const decoders = await both();
    for (const { pid } of decoders) process.kill(pid, 'SIGSTOP');
    const gone = new AbortController();
    const left = outcome(images.webp(small, maxBytes, { ...from('a'), gone: gone.signal }));
    await new Promise((resolve) => setTimeout(resolve, 2 * limitMs));
    gone.abort();
    expect(await left).toBe('SERVICE_UNAVAILABLE');

    // c takes the new decoder, and d the stopped one, whose place stays taken for 27 s: a and b wait for c's.
    const costly = outcome(images.webp(endless, maxBytes, from('c')));
    void outcome(images.webp(small, maxBytes, from('d')));
    const done: string[] = [];
    const ask = async (address: string) => {
      await images.webp(small, maxBytes, from(address));
      done.push(address);
    };
    await Promise.all([ask('a'), ask('b')]);
    expect([await costly, done]).toEqual(['MEDIA_TOO_LARGE', ['b', 'a']]);
  });

  it('H5 what came of a picture is not kept while its decoder lives', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    const images = create();
    const small = await png(9);
    const kept: WeakRef<Uint8Array>[] = [];
    const decodeOne = async (): Promise<void> => {
      kept.push(new WeakRef(await images.webp(small, maxBytes, asker)));
    };
    for (let count = 0; count < 3; count += 1) await decodeOne();
    await until(() => {
      collectGarbage();
      return kept[0]?.deref() === undefined;
    });
    expect(await decodersOf()).toHaveLength(2);
  });

  it('H5 error: an SVG is refused before it is drawn for what costs much', async () => {
    const data = `data:image/png;base64,${(await png(9)).toString('base64')}`;
    const costly = {
      filters: svg('<filter id="f"><feTurbulence/></filter><rect width="9" height="9" filter="url(#f)"/>'),
      'a filter of a foreign prefix': svg('<s:filter xmlns:s="http://www.w3.org/2000/svg" id="f"/>'),
      'filter functions': svg('<rect width="9" height="9" style="filter: blur(50px)"/>'),
      'another picture': svg(`<image href="${data}" width="9" height="9"/>`),
      'a reference to elsewhere': svg('<image href="file:///etc/passwd" width="9" height="9"/>'),
      'much text': svg(`<text>${'x y '.repeat(5_000)}</text>`),
      entities: Buffer.concat([Buffer.from('<!DOCTYPE svg [<!ENTITY a "aaaa">]>'), svg('')]),
      'another encoding': Buffer.concat([Buffer.from('<?xml version="1.0" encoding="UTF-7"?>'), svg('')]),
    };
    const images = create();
    for (const [what, one] of Object.entries(costly))
      expect([what, await outcome(images.webp(one, maxBytes, asker))]).toEqual([what, 'MEDIA_INVALID']);
  });

  it('behavior: a drawing of few units is as sharp as a large one of the same', async () => {
    const images = create();
    const shape = '<circle cx="8" cy="8" r="6" fill="#000"/>';
    const drawn = (side: number): Buffer =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 16 16">${shape}</svg>`,
      );
    /** Pixels of the circle's edge that are neither in it nor beside it, where it is shown 256 pixels wide. */
    const blurred = async (side: number): Promise<number> => {
      const webp = await images.webp(drawn(side), maxBytes, asker);
      const pixels = await sharp(webp).resize(256, 256).extractChannel('alpha').raw().toBuffer();
      return pixels.filter((alpha) => alpha > 25 && alpha < 230).length;
    };
    const [small, large] = [await blurred(16), await blurred(1_600)];
    expect(large).toBeGreaterThan(100);
    expect(small).toBeLessThan(large * 1.2);
  });

  it('H5 a drawing is drawn no larger than it is kept', async () => {
    const shape = '<rect width="100%" height="100%" opacity=".5"/>'.repeat(10);
    const image = await create().webp(svg(shape, 7_000), maxBytes, asker);
    expect(await sharp(image).metadata()).toMatchObject({ width: 2_048, height: 2_048 });
  });
});
