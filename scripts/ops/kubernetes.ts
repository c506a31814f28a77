import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const run = promisify(execFile);

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/** What the API of Kubernetes would say of manifests, one sentence each: values by its schemas, and names that it does not know. */
export const manifestErrors = async (manifests: readonly Manifest[]): Promise<string[]> => [
  ...(await Promise.all(manifests.map(schemaErrors))).flat(),
  ...(await typeErrors(manifests)),
];

type Model = new (data: object) => { validate(): void };

const schemaErrors = async (manifest: Manifest): Promise<string[]> => {
  const models = (await import(/* @vite-ignore */ `kubernetes-models/${manifest.apiVersion}`)) as Record<string, Model>;
  const Known = models[manifest.kind];
  if (Known === undefined) return [`${manifest.apiVersion} has no ${manifest.kind}`];
  try {
    new Known(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`];
  }
};

/** The schemas let unknown names pass; the type checker does not, in a literal. */
const typeErrors = async (manifests: readonly Manifest[]): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-manifests-'));
  try {
    symlinkSync(modules, join(folder, 'node_modules'));
    const typed = manifests.map(
      (one) =>
        `({${JSON.stringify(one).slice(1)}) satisfies import('kubernetes-models/${one.apiVersion}').I${one.kind};`,
    );
    writeFileSync(join(folder, 'manifests.ts'), typed.join('\n'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
    await run(join(modules, '.bin/tsc'), [...options, '--ignoreConfig', 'manifests.ts'], { cwd: folder });
    return [];
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    return [stdout.trim() || message];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
