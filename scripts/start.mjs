// `npm start`. Plain JavaScript, so that an old Node can still read the sentence that names it.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const needed = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < needed) {
  console.error(
    `Mintage needs Node ${needed}, this is ${process.versions.node}. \`npm ci\` brings it: start with \`npm start\`.`,
  );
  process.exit(1);
}
// What was compiled once is read from then on: a start takes half as long. Beside the libraries, where nobody else may write.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
await import('./start.ts').catch((error) => {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(`A package is missing (${error.message}). Run \`npm ci\` first.`);
  process.exit(1);
});
