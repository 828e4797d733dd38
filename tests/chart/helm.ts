import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chart } from './chart-files.js';

export interface Container {
  name: string;
  args: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string } } }[];
  securityContext: object;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  volumeMounts: { name: string; mountPath: string }[];
}

export interface PodSpec {
  terminationGracePeriodSeconds?: number;
  restartPolicy?: string;
  containers: Container[];
  volumes?: { configMap?: { name: string }; secret?: { secretName: string } }[];
  topologySpreadConstraints?: object[];
}

interface Peer {
  podSelector: { matchLabels: Record<string, string> };
  ipBlock?: { cidr: string; except: string[] };
}

/** A rule of a NetworkPolicy. */
export type Rule = Record<'from' | 'to', Peer[]> & { ports: { port: number; protocol?: string }[] };

interface Metadata {
  name: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** The fields of a Kubernetes object that tests read. Each kind has some of the fields of `spec`. */
export interface Resource {
  kind: string;
  metadata: Metadata;
  spec: PodSpec & {
    template: { metadata: Metadata; spec: PodSpec };
    volumeClaimTemplates?: { metadata: Metadata }[];
    selector: { matchLabels: Record<string, string> };
    ingress: Rule[] | null;
    egress: Rule[] | null;
    ports: { name: string }[];
    clusterIP?: string;
    hostnames?: string[];
    rules: { host: string; http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
  };
  data?: Record<string, string>;
}

/** The path of the values file of each scenario, by name. */
export const scenarios: Record<string, string> = Object.fromEntries(
  readdirSync(join(chart, 'scenarios')).map((file) => [file.replace('.yaml', ''), join(chart, 'scenarios', file)]),
);

/** Runs helm and returns what it prints. Throws an Error that contains helm's error message if helm fails. */
export function helm(...args: string[]): string {
  return execFileSync('helm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Renders the chart with a scenario's values and additional `name=value` pairs. */
export function render(scenario: string, ...set: string[]): Resource[] {
  const more = set.flatMap((each) => ['--set', each]);
  const text = helm('template', 'tautan', chart, '-n', 'tautan', '-f', scenarios[scenario]!, ...more);
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error) throw error;
      return document.toJS() as Resource | null;
    })
    .filter((resource) => resource !== null);
}
