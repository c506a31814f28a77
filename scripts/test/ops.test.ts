import { configFromEnv, refuseUnservableChains } from '@mintage/server';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { composeErrors } from '../ops/compose.ts';
import { documentsIn, manifests, textOf, variablesIn } from '../ops/files.ts';
import { type Manifest, manifestErrors } from '../ops/kubernetes.ts';
import { systemdErrors } from '../ops/systemd.ts';

type Variables = Record<string, string>;

const shared = variablesIn(textOf('mintage.env.example'));
const image = textOf('container/Containerfile');
const start = 'node scripts/start.mjs';

/** In words: what makes the accounts of the roles, by the files of these. */
const accountsCommand = (words: readonly string[]): string => words.join(' ').replaceAll(/=\S*\//g, '=');

/** The roles of a process that is started with these variables, once they have been read as it would read them. */
const rolesOf = (variables: Variables): string[] => {
  const config = configFromEnv(variables);
  refuseUnservableChains(config);
  expect(config).toMatchObject({ production: true, devnet: false, databaseUrl: expect.any(String) });
  // A signer, and an API that shall start without writing a key, need theirs.
  expect(config.kekFiles).toHaveLength(config.roles.has('indexer') ? 0 : 1);
  return [...config.roles];
};

describe('systemd', () => {
  const drop = textOf('systemd/mintage-.service.d/common.conf');
  const lines = (text: string, name: string): string[] =>
    text.split('\n').flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  const environment = (text: string): Variables =>
    Object.fromEntries(lines(text, 'Environment').flatMap((line) => line.split(' ').map((word) => word.split('='))));

  it('default: units and what they share are valid, and little exposed', () => {
    expect(systemdErrors(13)).toBe('');
  });

  it.each(['api', 'indexer', 'signer'])('%s: starts by its variables and the documented command', (role) => {
    const unit = textOf(`systemd/mintage-${role}${role === 'api' ? '' : '@'}.service`);
    const [command = ''] = lines(unit, 'ExecStart');
    expect(command).toMatch(new RegExp(`^(/usr/bin/env CHAINS=%i )?/opt/mintage/node_modules/.bin/${start}$`));
    expect(lines(drop, 'EnvironmentFile')).toEqual(['/etc/mintage/mintage.env']);
    expect(lines(unit, 'EnvironmentFile')).toEqual([`/etc/mintage/${role}.env`]);
    const files = { ...shared, ...variablesIn(textOf(`${role}.env.example`)) };
    expect(rolesOf({ ...environment(drop), ...environment(unit), ...files })).toEqual([role]);
  });
});

describe('accounts', () => {
  const user = (url: string): string => new URL(url).username;

  it('K1 default: each role has an account of its own, none of them the owner’s', () => {
    const users = ['owner', 'api', 'indexer', 'signer'].map((name) =>
      user(variablesIn(textOf(`${name}.env.example`)).DATABASE_URL as string),
    );
    expect(users).toEqual(['mintage', 'mintage_api', 'mintage_indexer', 'mintage_signer']);
    const secrets = documentsIn('kubernetes/secrets.example.yaml') as { stringData: Variables }[];
    const named = secrets.flatMap(({ stringData: { DATABASE_URL } }) => DATABASE_URL ?? []).map(user);
    expect(named.toSorted()).toEqual(users.toSorted());
  });

  it('K1 default: every way to run it makes them by the same command', () => {
    const [, unit = ''] = /^ExecStart=\S+ (.*)$/m.exec(textOf('systemd/mintage-accounts.service')) ?? [];
    expect(accountsCommand([unit])).toBe('scripts/admin.ts accounts api=api.env indexer=indexer.env signer=signer.env');
    const [{ services }] = documentsIn('compose.yaml') as [{ services: Record<string, { command?: string[] }> }];
    expect(accountsCommand(services.accounts?.command ?? [])).toBe(
      'node scripts/admin.ts accounts api=api_env indexer=indexer_env signer=signer_env',
    );
    const [job] = documentsIn('kubernetes/accounts.yaml') as [
      { spec: { template: { spec: { containers: [{ command: string[] }] } } } },
    ];
    expect(accountsCommand(job.spec.template.spec.containers[0].command)).toBe(
      'node scripts/admin.ts accounts api=api indexer=indexer signer=signer',
    );
  });
});

describe('container', () => {
  const lines = image.split('\n');

  it('default: the file is valid', () => {
    expect(validate(image)).toEqual([]);
  });

  it('default: it runs the documented command, as nobody, on the usual port', () => {
    expect(lines).toContain(`CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}`);
    expect(lines).toContain('USER 10001:10001');
    expect(lines).toContain('EXPOSE 8080');
    expect(configFromEnv({}).port).toBe(8080);
  });
});

/** What the image sets. */
const ofImage: Variables = Object.fromEntries(
  [...image.matchAll(/^(?:ENV)? +([A-Z_]+)=(\S+)/gm)].map(([, ...pair]) => pair),
);

describe('memory', () => {
  it('default: units and image keep no arena for each thread', () => {
    expect(ofImage.MALLOC_ARENA_MAX).toBe('2');
    expect(textOf('systemd/mintage-.service.d/common.conf')).toMatch(/^Environment=.*\bMALLOC_ARENA_MAX=2\b/m);
  });
});

describe('compose', () => {
  interface Service {
    image: string;
    env_file?: string[];
    environment: Variables;
    healthcheck?: { test: string[] };
    networks: string[];
    read_only?: boolean;
  }
  const [file] = documentsIn('compose.yaml') as [{ services: Record<string, Service>; secrets: object }];
  const { services } = file;
  const roles = Object.entries(services).filter(
    ([name, service]) => service.image.startsWith('mintage:') && name !== 'accounts',
  );

  it('default: the file is valid, and one with an unknown name is not', () => {
    expect(composeErrors(file)).toEqual([]);
    expect(composeErrors({ ...file, services: { api: { ...services.api, read_onyl: true } } })).toEqual([
      '/services/api must NOT have additional properties {"additionalProperty":"read_onyl"}',
    ]);
  });

  it('default: each role starts by its variables, read-only', () => {
    const started = roles.flatMap(([, { env_file = [], environment, read_only }]) => {
      expect(read_only).toBe(true);
      const files = env_file.map((name) => variablesIn(textOf(`${name}.example`)));
      return rolesOf(Object.assign({}, ofImage, ...files, environment));
    });
    expect(started.toSorted()).toEqual(['api', 'indexer', 'signer']);
  });

  it('default: a signer meets nobody but the database', () => {
    const near = Object.entries(services).filter(([, { networks }]) =>
      networks.some((network) => services.signer?.networks.includes(network)),
    );
    expect(near.map(([name]) => name)).toEqual(['signer', 'database']);
  });

  it('default: an API is asked for its health', () => {
    expect(services.api?.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${configFromEnv({}).port}/health`);
  });
});

describe('kubernetes', () => {
  interface Sources {
    metadata: { name: string };
    data?: Variables;
    stringData?: Variables;
  }
  interface Pod {
    enableServiceLinks: boolean;
    securityContext: object;
    containers: {
      image: string;
      env: { name: string; value: string }[];
      envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
      ports?: { containerPort: number }[];
      startupProbe?: Probe;
      readinessProbe?: Probe;
      livenessProbe?: Probe;
      securityContext: object;
    }[];
  }
  interface Probe {
    httpGet: { path: string; port: string };
  }
  interface Deployment extends Manifest {
    spec: { template: { spec: Pod } };
  }
  const applied = documentsIn('kubernetes/kustomization.yaml') as [{ resources: string[]; images: { name: string }[] }];
  const others = manifests.filter((path) => !path.endsWith('kustomization.yaml'));
  const all = others.flatMap(documentsIn) as Manifest[];
  const deployments = all.filter(({ kind }) => kind === 'Deployment') as Deployment[];
  const pods = deployments.map(({ spec }) => spec.template.spec);
  const [{ resources, images }] = applied;

  it('default: every manifest is what Kubernetes knows, and all but the pattern of secrets are applied', async () => {
    expect(await manifestErrors(all)).toEqual([]);
    expect(resources.map((path) => `kubernetes/${path}`).toSorted()).toEqual(
      others.filter((path) => !path.endsWith('secrets.example.yaml')),
    );
  });

  it('error: a name that it does not know, a kind, and a value', async () => {
    const [deployment] = deployments as [Deployment];
    const errorsOf = (spec: object, kind = 'Deployment') =>
      manifestErrors([{ ...deployment, kind, spec: { ...deployment.spec, ...spec } } as Manifest]);
    expect(await errorsOf({ replica: 2 })).toEqual([expect.stringMatching(/"replica"' does not exist/)]);
    expect(await errorsOf({}, 'Deploiment')).toContain('apps/v1 has no Deploiment');
    expect(await errorsOf({ replicas: 1.5 })).toEqual([expect.stringContaining('replicas')]);
  });

  it('default: each role starts by its variables, restricted', () => {
    const named = all as unknown as Sources[];
    const valuesOf = (kind: string, name: string): Variables => {
      const source = named.find((one, i) => all[i]?.kind === kind && one.metadata.name === name);
      if (source === undefined) throw new Error(`There is no ${kind} ${name}.`);
      return { ...source.data, ...source.stringData };
    };
    const started = pods.flatMap(({ enableServiceLinks, securityContext, containers }) => {
      const [container] = containers as [Pod['containers'][0]];
      expect(enableServiceLinks).toBe(false);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 });
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.image).toBe(images[0]?.name);
      const from = container.envFrom.map(({ configMapRef, secretRef }) =>
        configMapRef ? valuesOf('ConfigMap', configMapRef.name) : valuesOf('Secret', secretRef?.name ?? ''),
      );
      const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
      return rolesOf(Object.assign({}, ofImage, ...from, own));
    });
    expect(started.toSorted()).toEqual(['api', 'indexer', 'signer']);
  });

  it('default: only an API listens, and is asked for its health', () => {
    const listening = pods.flatMap(({ containers }) => containers).filter(({ ports }) => ports !== undefined);
    expect(listening).toHaveLength(1);
    const [{ ports, startupProbe, readinessProbe, livenessProbe }] = listening as [Pod['containers'][0]];
    expect(ports?.map(({ containerPort }) => containerPort)).toEqual([configFromEnv({}).port]);
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) expect(probe?.httpGet.path).toBe('/health');
  });
});
