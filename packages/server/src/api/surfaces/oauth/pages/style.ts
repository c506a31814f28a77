/** Style of the sign-in and consent pages: grey on white or white on near black, one accent, no motion. */
export const style = `
:root { color-scheme: light dark; --ink: #16181d; --soft: #5a6070; --line: #d9dce3; --card: #fff; --ground: #f4f5f7;
  --accent: #1f5fd6; --on-accent: #fff; --warn: #8a4b00; --warn-ground: #fff4e0; --bad: #a5121b; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef2; --soft: #a3aab8; --line: #363b45; --card: #1b1e24;
  --ground: #111317; --accent: #7aa7ff; --on-accent: #0b1220; --warn: #ffcf8a; --warn-ground: #33270f; --bad: #ff9a9a; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 4vh auto; padding: 24px; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; overflow-wrap: anywhere; }
@media (max-width: 420px) { body { padding: 8px; } main { margin: 8px auto; padding: 16px; } }
h1 { margin: 0 0 8px; font-size: 1.35rem; line-height: 1.25; }
h2 { margin: 24px 0 8px; font-size: 1rem; }
p { margin: 8px 0; }
small, .soft { color: var(--soft); font-size: .875rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 16px 0; }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; }
.note { margin: 16px 0; padding: 10px 12px; border-radius: 8px; background: var(--warn-ground); color: var(--warn); }
.bad { color: var(--bad); font-weight: 600; }
fieldset { margin: 0; padding: 0; border: 0; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 10px; align-items: start; padding: 10px 0;
  border-top: 1px solid var(--line); }
.choice input { width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--accent); }
.choice b { display: block; }
.chains { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.chains label { display: flex; gap: 6px; align-items: center; padding: 4px 0; }
.chains input { width: 18px; height: 18px; accent-color: var(--accent); }
.money { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.money input { width: 100%; margin-top: 4px; padding: 10px; border: 1px solid var(--line); border-radius: 8px;
  background: transparent; color: inherit; font: inherit; font-variant-numeric: tabular-nums; }
form:not(:has([value="execute"]:checked)) .budget { display: none; }
.buttons { display: flex; flex-flow: row-reverse wrap; gap: 12px; margin-top: 24px; }
button { flex: 1 1 9rem; min-height: 44px; padding: 10px 16px; border: 1px solid var(--line); border-radius: 8px;
  background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button.first { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button.plain { flex: none; min-height: 0; padding: 0; border: 0; color: var(--accent); font-weight: 400;
  text-decoration: underline; }
button:disabled { opacity: .55; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
