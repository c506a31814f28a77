import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The family that pictures of ours are set in. */
export const fontFamily = 'Host Grotesk';

/** A configuration of fontconfig, which libraries that draw text read from `FONTCONFIG_FILE`. */
export interface Fonts {
  file: string;
  remove(): void;
}

const folderOf = (resolved: string): string => dirname(fileURLToPath(resolved));

const prefix = 'mintage-fonts-';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, as somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** A process that was killed leaves its folder behind: the next one removes it. */
const removeForgotten = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (pid > 0 && !isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
};

/** Makes our own font known beside those of the machine, which draw the letters that ours lacks. */
export const installFonts = (): Fonts => {
  removeForgotten();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  const file = join(folder, 'fonts.conf');
  const ours = ['400Regular/HostGrotesk_400Regular.ttf', '600SemiBold/HostGrotesk_600SemiBold.ttf'].map((path) =>
    folderOf(import.meta.resolve(`@expo-google-fonts/host-grotesk/${path}`)),
  );
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <cachedir>${xmlText(join(folder, 'cache'))}</cachedir>
  ${ours.map((one) => `<dir>${xmlText(one)}</dir>`).join('\n  ')}
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`,
  );
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
