import { chromiumPath } from '@mintage/devnet/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

/** A phone of the middle: a quarter of this machine's speed, 150 ms away, 1.6 Mbit/s. */
const network = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 204_800 };
const slowerBy = 4;

/** What a page took, milliseconds; layout shift is a share of the screen. */
export interface PhoneLoad {
  /** Until it answers to fingers. */
  interactive: number;
  largestPaint: number;
  layoutShift: number;
  /** Of what was done on it; null: nothing was. */
  slowestInteraction: number | null;
  /** From a key pressed to the number that follows it; null: it has none. */
  numberAfterKey: number | null;
}

/** An amount that is typed, and the number that follows: selectors. */
export interface Fingers {
  /** What is touched first, where the input is not there yet. */
  open?: string;
  input: string;
  output: string;
}

export interface PhoneVisit {
  url: string;
  fingers?: Fingers | undefined;
  /** What the browser has kept for the app: name and value. */
  kept?: Record<string, unknown>;
}

/** Collects from the first moment what the browser tells of itself. */
const collect = `{
  const told = { largestPaint: 0, layoutShift: 0, slowest: null };
  window.told = told;
  const watch = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', ({ startTime }) => { told.largestPaint = startTime; });
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) told.layoutShift += value; });
  watch('event', ({ interactionId, duration }) => { if (interactionId) told.slowest = Math.max(told.slowest ?? 0, duration); }, { durationThreshold: 16 });
}`;

/** In the page: from the next key to the frame in which the number has changed. */
const watchNumber = ({ input, output }: Fingers): string => `{
  const text = () => document.querySelector(${JSON.stringify(output)})?.innerText;
  window.numberAfterKey = new Promise((resolve) => {
    document.querySelector(${JSON.stringify(input)}).addEventListener('keydown', ({ timeStamp }) => {
      const before = text();
      const look = () => text() !== before ? resolve(performance.now() - timeStamp) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
  void 0; // else the promise itself would be the answer
}`;

/** One visit by a browser that was never there before. */
export const visitByPhone = async ({ url, fingers, kept = {} }: PhoneVisit): Promise<PhoneLoad> => {
  const browser = await launch();
  try {
    const page = await browser.newPage({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      locale: 'en-US',
    });
    await page.addInitScript(collect);
    await page.addInitScript((items) => {
      for (const [name, value] of Object.entries(items)) localStorage.setItem(`mintage ${name}`, JSON.stringify(value));
    }, kept);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', network);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowerBy });
    await page.goto(url, { waitUntil: 'load' });
    await page.locator('html[data-ready]').waitFor();
    const interactive = await page.evaluate<number>(`performance.getEntriesByName('interactive')[0].startTime`);
    // The last of what moves and paints by itself.
    await page.waitForTimeout(1_000);
    const numberAfterKey = await touch(page, fingers);
    const told = await page.evaluate<{ largestPaint: number; layoutShift: number; slowest: number | null }>('told');
    return {
      interactive,
      largestPaint: told.largestPaint,
      layoutShift: told.layoutShift,
      slowestInteraction: told.slowest,
      numberAfterKey,
    };
  } finally {
    await browser.close();
  }
};

export const launch = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });

/** What people do first: they touch what is pressed or typed in, and type. */
const touch = async (page: Page, fingers: Fingers | undefined): Promise<number | null> => {
  const tabs = page.locator('main').locator('[role=tab], [role=radio], label:has(input[type=radio])');
  const seen = (await tabs.all()).slice(0, 3);
  for (const one of seen) if (await one.isVisible()) await one.tap({ force: true });
  if (seen[0] !== undefined && (await seen[0].isVisible())) await seen[0].tap({ force: true });
  if (fingers === undefined) return null;
  const input = page.locator(fingers.input).first();
  if (fingers.open !== undefined && !(await input.isVisible())) await page.locator(fingers.open).first().tap();
  await input.fill('25');
  await input.press('End');
  await page.waitForTimeout(300);
  await page.evaluate(watchNumber(fingers));
  await page.keyboard.press('7');
  const numberAfterKey = await untilResolved(page, 'numberAfterKey', 5_000);
  // What lasts longer than a frame is told a moment later.
  await page.waitForTimeout(300);
  return numberAfterKey;
};

/** The number that a promise of the page comes to; null: it does not within this time. */
export const untilResolved = (page: Page, promise: string, ms: number): Promise<number | null> =>
  page.evaluate<number | null>(
    `Promise.race([${promise}, new Promise((resolve) => setTimeout(() => resolve(null), ${ms}))])`,
  );
