import { startSystem } from '@mintage/devnet';
import { chromiumPath } from '@mintage/devnet/chromium';
import { chromium } from 'playwright-core';

/** Loads after the first, each by a browser that was never there before. */
const rounds = 5;

const paths = ['', '/reference/tradeToken', '/reference/info', '/contracts/LaunchpadV4'];

interface Load {
  /** Milliseconds from the request to the first text on the screen. */
  paintMs: number;
  /** Bytes on the wire, headers left out: page, style and scripts. */
  bytes: number;
}

/** In the page: waits for the first text, which may be painted after everything is loaded. */
const measure = `new Promise((resolve) => {
  const bytes = () => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint) resolve({ paintMs: paint.startTime, bytes: bytes() });
  }).observe({ type: 'paint', buffered: true });
})`;

/**
 * How soon a reader has the first heading of a page, over loopback: at a service that has just started and has made no page yet,
 * and later.
 */
export const benchDocs = async (): Promise<void> => {
  const executablePath = await chromiumPath();
  const system = await startSystem({ env: { CHAINS: 'base-sepolia', LOG_LEVEL: 'error' } });
  const load = async (path: string): Promise<Load> => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(`${system.url}/docs${path}`, { waitUntil: 'load' });
      return await page.evaluate<Load>(measure);
    } finally {
      await browser.close();
    }
  };
  try {
    for (const path of paths) {
      const first = await load(path);
      const later: number[] = [];
      for (let round = 0; round < rounds; round++) later.push((await load(path)).paintMs);
      const median = later.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
      console.log(
        `/docs${path}: first text after ${Math.round(first.paintMs)} ms at the first request, ${Math.round(median)} ms later ` +
          `(median of ${rounds}); ${(first.bytes / 1000).toFixed(1)} kB with style and scripts`,
      );
    }
  } finally {
    await system.stop();
  }
};
