/** The chart parses colours itself and knows none of the page's: they are resolved to rgb first. */

const names = {
  text: '--ink-3',
  ink: '--ink',
  onInk: '--on-ink',
  line: '--line',
  control: '--line-control',
  up: '--up-fill',
  down: '--down-fill',
  brand: '--brand-fill',
  brandText: '--brand',
} as const;

export type ChartColors = Readonly<Record<keyof typeof names, string>>;

export const chartColors = (): ChartColors => {
  const probe = document.createElement('i');
  probe.hidden = true;
  document.body.append(probe);
  const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const resolve = (name: string): string => {
    probe.style.color = `var(${name})`;
    if (pixel === null) return 'rgb(128,128,128)';
    pixel.fillStyle = getComputedStyle(probe).color;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data;
    return `rgb(${red},${green},${blue})`;
  };
  const colors = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, resolve(name)]));
  probe.remove();
  return colors as unknown as ChartColors;
};

/** Calls when the theme changes, by the person or by the system. @returns Ends it. */
export const onTheme = (listener: () => void): (() => void) => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(listener);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  dark.addEventListener('change', listener);
  return () => {
    chosen.disconnect();
    dark.removeEventListener('change', listener);
  };
};
