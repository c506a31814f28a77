import { brandStyle, tokens } from '@mintage/brand';

const shared = tokens();

/**
 * Style of the sign-in and consent pages: the colours, type and buttons of the web app, in light and dark, with the fonts of the
 * reader's system.
 *
 * @param color - `#rrggbb`; null: bronze.
 */
export const styleOf = (color: string | null): string => `${shared}${brandStyle(color)}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--bg); color: var(--ink); font: 400 0.875rem/1.25rem var(--font);
  font-variant-numeric: tabular-nums lining-nums; -webkit-font-smoothing: antialiased; }
main { max-width: 28rem; margin: 4vh auto; overflow-wrap: anywhere; }
.logo { display: flex; align-items: center; gap: 10px; margin: 0 0 20px; font: 650 1.0625rem/1 var(--font);
  letter-spacing: -0.022em; }
.logo svg, .logo img { flex: none; color: var(--brand); }
.card { padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
@media (max-width: 420px) { main { margin: 8px auto; } .card { padding: 16px; } }
h1 { margin: 0 0 8px; font: 600 1.25rem/1.625rem var(--font); letter-spacing: -0.012em; }
h2 { margin: 24px 0 8px; font: 600 0.875rem/1.25rem var(--font); }
p { margin: 8px 0; }
a { color: inherit; text-decoration-color: var(--line-control); text-underline-offset: 3px; }
a:hover { text-decoration-color: currentColor; }
small, .soft { color: var(--ink-3); font-size: 0.8125rem; line-height: 1.125rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 16px; margin: 16px 0; }
dt { color: var(--ink-2); }
dd { margin: 0; font-weight: 550; }
.note { margin: 16px 0; padding: 12px 16px; border-radius: 10px; background: var(--brand-soft); }
.bad { color: var(--down); font-weight: 550; }
fieldset { margin: 0; padding: 0; border: 0; }
input { accent-color: var(--ink); }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 12px; align-items: start; padding: 12px 0;
  border-top: 1px solid var(--line); }
.choice input { width: 20px; height: 20px; margin: 1px 0 0; }
.choice b { display: block; font-weight: 550; }
.chains { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.chains label { display: flex; gap: 8px; align-items: center; min-height: 36px; }
.chains input { width: 18px; height: 18px; margin: 0; }
.money { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; font-weight: 550; }
.money input { width: 100%; min-height: 44px; margin-top: 6px; padding: 9px 12px; border: 1px solid var(--line-control);
  border-radius: 8px; background: var(--surface); color: inherit; font: 400 1rem/1.5rem var(--font); }
form:not(:has([value="execute"]:checked)) .budget { display: none; }
[hidden] { display: none !important; }
.buttons { display: grid; gap: 8px; margin-top: 8px; }
.pair { grid-template-columns: 1fr 1fr; margin-top: 24px; }
.pair .first { order: 1; }
button { min-height: 48px; padding: 8px 14px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface);
  color: inherit; font: 550 1rem/1.5rem var(--font); cursor: pointer; transition: background var(--fast), border-color var(--fast); }
button:hover { background: var(--hover); border-color: var(--line-control); }
button.first { border-color: transparent; background: var(--ink); color: var(--on-ink); }
button.bare { border-color: transparent; background: none; color: var(--ink-2); }
button.plain { min-height: 0; padding: 0; border: 0; background: none; color: var(--ink); font: inherit;
  text-decoration: underline; text-decoration-color: var(--line-control); text-underline-offset: 3px; }
button:disabled { opacity: 0.5; cursor: not-allowed; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
`;
