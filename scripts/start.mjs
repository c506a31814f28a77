// `npm start`. Plain JavaScript, so that an old Node can still read the sentence that names it.
const needed = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < needed) {
  console.error(
    `Mintage needs Node ${needed}, this is ${process.versions.node}. \`npm ci\` brings it: start with \`npm start\`.`,
  );
  process.exit(1);
}
await import('./start.ts').catch((error) => {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(`A package is missing (${error.message}). Run \`npm ci\` first.`);
  process.exit(1);
});
