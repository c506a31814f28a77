import { createRequire } from 'node:module';

/** The native binary: the npm wrapper would be a second process, and signals would end the wrapper only. */
export const anvilBinary = (): string => {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const platform = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
    return createRequire(wrapper).resolve(`${platform}/bin/anvil`);
  } catch (cause) {
    throw new Error(`Local chains need the package ${platform}, which is not installed: run \`npm ci\`.`, { cause });
  }
};
