import type { Page } from 'playwright-core';

export const widths = [1280, 360] as const;
const themes = ['light', 'dark'] as const;
const heights: Readonly<Record<number, number>> = { 1280: 900, 360: 780 };

/** As long as a page may take to draw itself anew, milliseconds. */
const settleMs = 400;

interface Measured {
  isModal: boolean;
  tall: number;
  /** The beginning of what reaches beyond the side of the window, unless it scrolls or is cut by itself; null: nothing does. */
  sideways: string | null;
}

const measure = `(() => {
  const { documentElement: root, body } = document;
  const reaches = (element) => element.getBoundingClientRect().right > root.clientWidth + 1;
  const isHeld = (element) => {
    for (let at = element.parentElement; at !== null && at !== body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return true;
    return false;
  };
  const found = [...body.querySelectorAll('main *')].find((element) => reaches(element) && !isHeld(element));
  return {
    isModal: document.querySelector(':modal') !== null,
    tall: root.scrollHeight,
    sideways: found?.outerHTML.slice(0, 120) ?? (root.scrollWidth > innerWidth ? 'the page' : null),
  };
})()`;

/**
 * Takes a page as it stands at each width in each theme; one that is longer than the window in full, with what sticks to the window's foot
 * at its foot.
 *
 * @param path - Of the pictures, up to their ends.
 * @returns The pictures.
 * @throws When something reaches beyond the side of the window.
 */
export const photograph = async (page: Page, path: string, only?: number): Promise<string[]> => {
  const files: string[] = [];
  for (const width of widths.filter((one) => only === undefined || one === only))
    for (const theme of themes) {
      const height = heights[width] ?? 0;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(settleMs);
      const { isModal, tall, sideways } = await page.evaluate<Measured>(measure);
      if (!isModal && tall > height) {
        await page.setViewportSize({ width, height: tall });
        await page.waitForTimeout(settleMs);
      }
      const file = `${path}-${width}-${theme}.png`;
      await page.screenshot({ path: file });
      files.push(file);
      if (sideways !== null) throw new Error(`At ${width} px something reaches beyond the side: ${sideways}`);
    }
  return files;
};
