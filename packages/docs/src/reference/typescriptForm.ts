import type { Operation } from '@mintage/protocol';
import type { Deployment } from '../deployment.ts';
import type { Example } from '../examples.ts';

/** Quoted here, so that what looks for imports does not take the text for one. */
const sdk = "'@mintage/sdk'";

/** An example as a program with the SDK. `scripts/generate-docs-calls.ts` keeps all of them where the compiler checks them. */
export const typescriptForm = (operation: Operation, example: Example, deployment: Deployment): string => {
  const { access } = operation;
  const auth =
    access === 'session'
      ? { name: 'session', text: "auth: session({ accessToken: process.env.MINTAGE_ACCESS_TOKEN ?? '' })" }
      : needsCredential(operation, example)
        ? { name: 'apiKey', text: "auth: apiKey(process.env.MINTAGE_API_KEY ?? '')" }
        : null;
  const settings = [
    `baseUrl: '${deployment.publicUrl}'`,
    `network: '${deployment.network}'`,
    ...(auth ? [auth.text] : []),
  ];
  const names = ['createClient', ...(auth ? [auth.name] : [])].toSorted();
  return [
    `import { ${names.join(', ')} } from ${sdk};`,
    '',
    'const client = createClient({',
    ...settings.map((setting) => `  ${setting},`),
    '});',
    callOf(operation, example),
  ].join('\n');
};

export const needsCredential = ({ access }: Operation, { credential }: Example): boolean =>
  access !== 'public' || credential === true;

/** What of a client an operation is: mostly a function of its name. */
const callOf = ({ name, produces }: Operation, { input }: Example): string => {
  if (name === 'ws' || name === 'stream') {
    const subscription = literal({ topic: 'tokenActivity', ...input });
    return `for await (const item of client.stream(${subscription})) console.log(item);`;
  }
  // These name in their input what the client has a function for.
  const member = { info: 'info', platformAction: 'actions' }[name];
  if (member !== undefined) {
    const { type, ...fields } = member === 'info' ? input : (input.action as Example['input']);
    return `const answer = await client.${member}.${String(type)}(${literal(fields)});`;
  }
  return `const ${produces === undefined ? 'answer' : 'response'} = await client.${name}(${literal(input)});`;
};

/** An object as a program writes it; nothing for an empty one. */
const literal = (input: object): string => {
  if (Object.keys(input).length === 0) return '';
  return JSON.stringify(input, null, 2)
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"'])*)"/g, "'$1'");
};
