import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readMigrationConfig } from '@tautan/kit';
import { rpcCallees } from '@tautan/proto/callers';
import { containerProcesses, serviceNames } from '@tautan/proto/services';
import { chart, readme, valuesSchema } from './chart-files.js';
import { helm, render, scenarios, type Container, type PodSpec, type Resource, type Rule } from './helm.js';
import { fixedSettings, hasDedicatedValue, workloads } from './workloads.js';

const componentOf = ({ metadata }: Resource): string => metadata.labels!['app.kubernetes.io/component']!;
const ofKind = (resources: Resource[], kind: string): Resource[] => resources.filter((each) => each.kind === kind);
const podsOf = (resources: Resource[]): PodSpec[] =>
  resources.flatMap(({ kind, spec }) => (kind === 'Pod' ? [spec] : spec?.template ? [spec.template.spec] : []));
/** Returns the containers that run a service. Each is named after the workload whose settings it uses. */
const serviceContainers = (resources: Resource[]): Container[] =>
  [...ofKind(resources, 'Deployment'), ...ofKind(resources, 'Job')].flatMap(
    ({ spec }) => spec.template.spec.containers,
  );

const secretValues: Record<string, string> = {
  MONGODB_URI: 'mongodb://localhost',
  REDIS_URL: 'redis://localhost',
  SMTP_URL: 'smtp://localhost',
  ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
};
const existingFile = join(chart, 'Chart.yaml');
/** Returns the environment of a container, with the path of an existing file in place of the paths of mounted files. */
const environmentOf = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(
    env.map(({ name, value }) => {
      if (value === undefined) return [name, secretValues[name] ?? 'secret'];
      return [name, value.startsWith('/etc/tautan/') ? existingFile : value];
    }),
  );

const names = Object.keys(scenarios);
const natsAuthentications = ['token', 'creds', 'nkey'].map((kind) => `nats.authentication=${kind}`);

describe.each(names)('the scenario %s', (scenario) => {
  const resources = render(scenario);

  test('passes helm lint', () => {
    expect(helm('lint', chart, '--strict', '-f', scenarios[scenario]!)).toContain('0 chart(s) failed');
  });

  test('gives every service valid settings', () => {
    for (const container of serviceContainers(resources)) {
      const { names: declared, read: readSettings } = workloads[container.name]!;
      const isMigration = container.args.includes('migrate');
      const read = isMigration
        ? (env: Record<string, string>) => readMigrationConfig(container.name, env)
        : readSettings;
      const environment = environmentOf(container);
      const unknown = Object.keys(environment).filter((name) => !declared.includes(name) && !name.startsWith('OTEL_'));
      expect({ of: container.name, unknown }).toEqual({ of: container.name, unknown: [] });
      // The files that these settings name need specific content. `existingFile` does not have it.
      for (const name of ['PLANS_FILE', 'NATS_CREDS_FILE', 'NATS_NKEY_FILE']) delete environment[name];
      expect(() => read(environment)).not.toThrow();
    }
  });

  test('runs all pods without privileges, and all except Keycloak on a read-only file system', () => {
    for (const pod of podsOf(resources)) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { name, securityContext } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          // Keycloak writes its build to disk on start.
          readOnlyRootFilesystem: name !== 'keycloak',
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  test('gives every workload a disruption budget, probes and topology spread constraints', () => {
    const deployments = ofKind(resources, 'Deployment');
    expect(deployments.map(componentOf).sort()).toEqual(Object.keys(workloads).sort());
    const budgets = ofKind(resources, 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels);
    for (const { spec } of deployments) {
      expect(budgets).toContainEqual(spec.selector.matchLabels);
      expect(spec.template.spec.topologySpreadConstraints).toHaveLength(2);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(spec.template.spec.containers[0]).toHaveProperty(probe);
    }
  });

  test('configures and allows exactly the declared calls between services', () => {
    const declared = Object.entries(rpcCallees).flatMap(([from, callees]) => callees.map((to) => `${from} to ${to}`));
    const called = ofKind(resources, 'Deployment').flatMap((deployment) => {
      return deployment.spec.template.spec.containers[0]!.env.filter(({ name }) => name.endsWith('_ADDRESS')).map(
        ({ value }) => `${componentOf(deployment)} to ${/tautan-(\w+):50051$/.exec(value!)![1]}`,
      );
    });
    const policies = ofKind(resources, 'NetworkPolicy');
    const peers = (rules: Rule[] | null, side: 'from' | 'to'): string[] =>
      (rules ?? [])
        .filter(({ ports }) => ports[0]!.port === 50_051)
        .flatMap((rule) =>
          rule[side].map(({ podSelector }) => podSelector.matchLabels['app.kubernetes.io/component']!),
        );
    const out = policies.flatMap((policy) =>
      peers(policy.spec.egress, 'to').map((to) => `${componentOf(policy)} to ${to}`),
    );
    const into = policies.flatMap((policy) =>
      peers(policy.spec.ingress, 'from').map((from) => `${from} to ${componentOf(policy)}`),
    );
    for (const calls of [called, out, into]) expect(calls.sort()).toEqual(declared.sort());
  });

  test('gives gRPC clients and servers a certificate, and servers a headless Service', () => {
    const withCertificate = ofKind(resources, 'Deployment')
      .filter(({ spec }) => JSON.stringify(spec).includes('RPC_TLS_CERT'))
      .map(componentOf);
    expect(withCertificate.sort()).toEqual([...containerProcesses].sort());
    for (const { metadata, spec } of ofKind(resources, 'Service').filter(({ spec }) => spec.ports[0]!.name === 'grpc'))
      expect([metadata.name, spec.clusterIP]).toEqual([metadata.name, 'None']);
  });
});

test('the chart can set every setting of a service', () => {
  const given = new Set(
    [
      ...names.map((scenario) => render(scenario)),
      ...natsAuthentications.map((value) => render('small', value)),
      render(
        'small',
        'identity.issuer=x',
        'ownHosts={a.example.com}',
        'redis.tlsSecret=x',
        'redis.clientCertificate=true',
      ),
      render('small', 'brand.name=Toko', 'brand.logo=https://cdn.example.com/a.svg', 'brand.color=#b91c1c'),
      render(
        'small',
        'redirectTo.root=https://a.example',
        'redirectTo.notFound=https://a.example',
        'redirectTo.expired=https://a.example',
      ),
      render('small', 'customDomains.addresses={192.0.2.1}', 'payments.existingSecret=x', 'defaultPlan=FREE'),
    ].flatMap((resources) => serviceContainers(resources).flatMap(({ env }) => env.map(({ name }) => name))),
  );
  const declared = Object.values(workloads).flatMap((workload) => workload.names);
  const missing = declared.filter((name) => hasDedicatedValue(name) && !fixedSettings.test(name) && !given.has(name));
  expect([...new Set(missing)]).toEqual([]);
});

describe('invalid values are rejected and named:', () => {
  test.each([
    ['a misspelled value', 'gatway.replicas=2', 'gatway'],
    ['a misspelled key of a workload', 'gateway.replica=2', 'replica'],
    ['a setting that the service does not have', 'gateway.settings.MAX_TAGS=5', 'MAX_TAGS'],
    ['a setting that has a separate chart value', 'links.settings.BASE_URL=https://a.example', 'BASE_URL'],
    ['a wrong type', 'gateway.replicas=many', 'replicas'],
    ['an unknown choice', 'rpcTls.mode=off', 'rpcTls/mode|rpcTls.mode'],
    ['an address with a path', 'publicUrl=https://go.example.com/x', 'publicUrl'],
    ['an address of NATS with credentials', 'nats.url=nats://user:password@host:4222', 'nats/url|nats.url'],
    ['an invalid color', 'brand.color=teal', 'brand/color|brand.color'],
    ['a number as an annotation', 'gateway.podAnnotations.prometheus\\.io/port=9090', 'gateway.podAnnotations'],
    ['a number as a label', 'defaults.podLabels.team=7', 'defaults.podLabels'],
    ['a boolean in a node selector', 'stats.nodeSelector.pool=true', 'stats.nodeSelector'],
    ['a boolean as an annotation of the Ingress', 'routes.ingress.annotations.a=true', 'routes.ingress.annotations'],
    ['an autoscaling minimum of 0 pods', 'redirect.autoscaling.min=0', 'redirect.autoscaling.min'],
    ['a word as a port of the mail server', 'networkPolicy.ports.mail={smtp}', 'networkPolicy.ports.mail'],
    ['no public address', 'publicUrl=', 'publicUrl: must be set'],
    [
      'credentials without a Secret',
      'nats.existingSecret=',
      'nats.existingSecret: must be set, since nats.authentication is creds',
    ],
    ['no database', 'mongodb.existingSecret=', 'mongodb.existingSecret: must name a Secret'],
    ['a provider without an audience', 'identity.audience=', 'identity.audience: must be set'],
    ['mail without a sender', 'mail.existingSecret=x', 'mail.from: must be set'],
    ['a paid default plan together with payments', 'payments.existingSecret=x', 'defaultPlan: must be FREE'],
    ['an HTTPRoute without a Gateway', 'routes.gateway.enabled=true', 'routes.gateway.parentRefs'],
  ])('%s', (_, value, problem) => {
    expect(() => render('small', value)).toThrow(new RegExp(problem));
  });
});

test('terminating pods keep serving for preStopSeconds, and their grace period also covers the drain', () => {
  const grace = ofKind(
    render('small', 'preStopSeconds.http=7', 'preStopSeconds.grpc=31', 'drainSeconds=12'),
    'Deployment',
  ).map((deployment) => {
    const { terminationGracePeriodSeconds, containers } = deployment.spec.template.spec;
    const [sleep, seconds] = containers[0]!.lifecycle!.preStop.exec.command;
    return [componentOf(deployment), sleep, seconds, terminationGracePeriodSeconds];
  });
  expect(Object.fromEntries(grace.map(([name, ...rest]) => [name, rest]))).toEqual({
    ...Object.fromEntries(['gateway', 'redirect', 'stats'].map((name) => [name, ['sleep', '7', 24]])),
    ...Object.fromEntries(serviceNames.map((name) => [name, ['sleep', '31', 48]])),
  });
});

test('the migration before an upgrade uses no object that the upgrade creates afterwards', () => {
  const resources = render('small', 'plans.PRO.limits.links=5000');
  const created = [...ofKind(resources, 'ConfigMap'), ...ofKind(resources, 'Secret')].map(
    ({ metadata }) => metadata.name,
  );
  expect(created).toContain('tautan-plans');
  const { volumes = [], containers } = ofKind(resources, 'Job')[0]!.spec.template.spec;
  const used = [
    ...volumes.map(({ configMap, secret }) => configMap?.name ?? secret?.secretName),
    ...containers.flatMap(({ env }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef.name)),
  ];
  expect(used).toContain('tautan-nats');
  expect(used.filter((name) => name !== undefined && created.includes(name))).toEqual([]);
});

test('the migration of an upgrade runs under the network policy of the new version', () => {
  const resources = render('small');
  const annotationsOf = (kind: string) =>
    ofKind(resources, kind).find((each) => componentOf(each) === 'migrate')!.metadata.annotations!;
  const [job, policy] = [annotationsOf('Job'), annotationsOf('NetworkPolicy')];
  expect(policy).toEqual({ ...job, 'helm.sh/hook-weight': '-1' });
  expect(job['helm.sh/hook']).toBe('post-install,pre-upgrade');
});

test('the Secrets of generated certificates are kept when rpcTls.mode changes', () => {
  const certificates = ofKind(render('small'), 'Secret').filter(({ metadata }) => /-rpc(-ca)?$/.test(metadata.name));
  expect(certificates).toHaveLength(7);
  for (const { metadata } of certificates) expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
});

test.each([
  ['443\\, 9443', [80, 443, 8443, 9443]],
  ['9443', [80, 443, 8443, 9443]],
])('webhooks may be delivered to the default ports and to those of ENDPOINT_PORTS=%s', (setting, ports) => {
  const policies = ofKind(render('small', `webhooks.settings.ENDPOINT_PORTS=${setting}`), 'NetworkPolicy');
  const { egress } = policies.find((policy) => componentOf(policy) === 'webhooks')!.spec;
  const internet = egress!.find(({ to }) => JSON.stringify(to)?.includes('0.0.0.0/0'))!;
  expect(internet.ports.map(({ port }) => port)).toEqual(ports);
});

/** Returns the connections that the network policy of a component allows it to open. */
const egressOf = (component: string, ...set: string[]): Rule[] =>
  ofKind(render('small', ...set), 'NetworkPolicy').find((policy) => componentOf(policy) === component)!.spec.egress!;
const portsOf = ({ ports }: Rule): string[] =>
  ports.map(({ port, protocol }) => `${port}${protocol ? ` ${protocol}` : ''}`);

test('without ports for a peer, no connection to it is allowed', () => {
  const uses = ['mail.existingSecret=x', 'mail.from=a@example.com', 'telemetry.environment.OTEL_SERVICE_NAME=x'];
  const peers = ['mongodb', 'nats', 'identity', 'mail', 'telemetry'].map((peer) => `networkPolicy.ports.${peer}`);
  expect(egressOf('workspaces', ...uses)).toHaveLength(peers.length + 1);
  const none = peers.map((peer) => `${peer}=null`);
  expect(egressOf('workspaces', ...uses, ...none).map(portsOf)).toEqual([['53 UDP', '53 TCP']]);
});

test('webhooks are not delivered to private ranges of IPv4 and IPv6', () => {
  const egress = egressOf('webhooks', 'networkPolicy.privateRanges={10.0.0.0/8,2001:db8:1::/48,fc00::/7}');
  expect(egress.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock))).toEqual([
    { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] },
    { cidr: '::/0', except: ['fc00::/7', 'fe80::/10', '2001:db8:1::/48'] },
  ]);
});

test.each(['links', 'webhooks'])('%s may query the name servers of DNS_SERVERS on their ports', (component) => {
  const servers = ['10.0.0.2:5353', '[2001:db8::53]:5354', '10.0.0.3', '2001:db8::55'].join('\\, ');
  expect(portsOf(egressOf(component, `${component}.settings.DNS_SERVERS=${servers}`)[0]!)).toEqual(
    ['53', '5353', '5354'].flatMap((port) => [`${port} UDP`, `${port} TCP`]),
  );
  expect(portsOf(egressOf(component)[0]!)).toEqual(['53 UDP', '53 TCP']);
});

test.each([
  ['https://pay.example.com:8443', '8443'],
  ['https://pay.example.com', '443'],
  ['http://[2001:db8::1]', '80'],
  ['', '443'],
])('billing may connect to PAYMENT_API_URL=%s on port %s', (url, port) => {
  const payments = ['payments.existingSecret=x', 'defaultPlan=FREE', `billing.settings.PAYMENT_API_URL=${url}`];
  expect(egressOf('billing', ...payments).map(portsOf)).toContainEqual([port]);
});

test.each([
  'telemetry.environment.OTEL_EXPORTER_OTLP_ENDPOINT',
  'defaults.settings.OTEL_EXPORTER_OTLP_ENDPOINT',
  'gateway.settings.OTEL_EXPORTER_OTLP_ENDPOINT',
  'gateway.settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
])('with a collector in %s, the gateway may send traces', (value) => {
  const collector = `${value}=http://collector:4318`;
  expect(egressOf('gateway', collector).map(portsOf)).toContainEqual(['4317', '4318']);
  expect(egressOf('gateway').map(portsOf)).not.toContainEqual(['4317', '4318']);
});

test('the defaults of all workloads also apply to the pods of the migration, of helm test and of the trial', () => {
  const scheduling = {
    priorityClassName: 'high',
    nodeSelector: { pool: 'tautan' },
    tolerations: [{ operator: 'Exists' }],
    affinity: { nodeAffinity: { any: 'thing' } },
  };
  const values = [
    'priorityClassName=high',
    'nodeSelector.pool=tautan',
    'tolerations[0].operator=Exists',
    'affinity.nodeAffinity.any=thing',
    'podLabels.team=links',
    'podAnnotations.mesh=off',
  ];
  const resources = render('trial', ...values.map((value) => `defaults.${value}`));
  const pods = podsOf(resources);
  expect(pods).toHaveLength(14);
  for (const pod of pods) expect(pod).toMatchObject(scheduling);
  const [job] = ofKind(resources, 'Job');
  for (const metadata of [job!.spec.template.metadata, ofKind(resources, 'Pod')[0]!.metadata])
    expect(metadata).toMatchObject({ labels: { team: 'links' }, annotations: { mesh: 'off' } });
});

test('a persistent trial keeps its volumes and the passwords of its servers when it is uninstalled', () => {
  const resources = render('trial', 'trial.persistence.enabled=true');
  const secretOf = (rendered: Resource[]): Resource =>
    rendered.find(({ metadata }) => metadata.name === 'tautan-trial')!;
  expect(secretOf(resources).metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  expect(secretOf(render('trial')).metadata.annotations).toBeUndefined();
  const stored = ofKind(resources, 'StatefulSet')
    .filter(({ spec }) => spec.volumeClaimTemplates?.[0]!.metadata.name === 'data')
    .map((server) => {
      const mounts = server.spec.template.spec.containers[0]!.volumeMounts;
      return [componentOf(server), mounts.find(({ name }) => name === 'data')!.mountPath];
    });
  expect(Object.fromEntries(stored)).toEqual({ mongodb: '/data/db', nats: '/data', keycloak: '/opt/keycloak/data' });
});

test.each([
  ['creds', 'x'],
  ['nkey', ''],
])('the trial uses its own NATS credentials instead of %s in the Secret "%s"', (authentication, secret) => {
  const values = [`nats.existingSecret=${secret}`, 'nats.tlsSecret=x', `nats.authentication=${authentication}`];
  for (const { env } of serviceContainers(render('trial', ...values)))
    expect(env.map(({ name }) => name).filter((name) => /^NATS_(?!URL|REPLICAS)/.test(name))).toEqual([
      'NATS_PASSWORD',
      'NATS_USER',
    ]);
});

/** Returns the text that an installation of a scenario prints. */
const notesOf = (scenario: string, ...set: string[]): string => {
  const more = set.flatMap((each) => ['--set', each]);
  return helm('install', 'tautan', chart, '--dry-run=client', '-f', scenarios[scenario]!, ...more).split('NOTES:')[1]!;
};

test.each([
  ['trial', [], '8080:3000'],
  ['trial', ['publicUrl=http://127.0.0.1:9000'], '9000:3000'],
  ['trial', ['publicUrl=https://go.example.com'], '3000'],
  ['trial', ['publicUrl=http://localhost'], '80:3000'],
])('the notes of the %s with %j explain how to forward %s to the gateway', (scenario, values, ports) => {
  const notes = notesOf(scenario, ...values);
  expect(notes).toContain(`port-forward svc/tautan-gateway ${ports}\n`);
  expect(notes).toContain('port-forward svc/tautan-redirect 8081\n');
});

test('failed pods of the migration keep their logs', () => {
  for (const job of ofKind(render('small'), 'Job')) expect(job.spec.template.spec.restartPolicy).toBe('Never');
});

test('a new version of chart and product does not restart the servers of the trial', () => {
  const servers = ofKind(render('trial'), 'StatefulSet');
  expect(servers).toHaveLength(4);
  for (const { spec } of servers) {
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  }
});

test('the Ingress routes pages and the API to the gateway, and everything else to the redirect workload', () => {
  const [ingress] = ofKind(render('small'), 'Ingress');
  expect(ingress!.metadata.annotations).toEqual({ 'nginx.ingress.kubernetes.io/proxy-body-size': '6m' });
  const { host, http } = ingress!.spec.rules[0]!;
  expect(host).toBe('go.example.com');
  expect(http.paths.map(({ path, backend }) => `${path} ${backend.service.name}`)).toEqual([
    '/api tautan-gateway',
    '/docs tautan-gateway',
    '/q tautan-gateway',
    '/app tautan-gateway',
    '/ tautan-redirect',
  ]);
});

test('the Ingress and the HTTPRoute have the host in lower case', () => {
  const values = ['routes.gateway.enabled=true', 'routes.gateway.parentRefs[0].name=public'];
  const resources = render('small', 'publicUrl=https://Go.Example.com', ...values);
  const [{ spec: ingress }, { spec: route }] = [ofKind(resources, 'Ingress')[0]!, ofKind(resources, 'HTTPRoute')[0]!];
  expect([ingress.rules[0]!.host, route.hostnames]).toEqual(['go.example.com', ['go.example.com']]);
});

test('generated files are up to date (npm run generate)', () => {
  expect(readFileSync(join(chart, 'values.schema.json'), 'utf8')).toBe(valuesSchema());
  expect(readFileSync(join(chart, 'README.md'), 'utf8')).toBe(readme());
});
