import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '@tautan/kit/testing';

const run = promisify(execFile);

/** Name and namespace of the release that `.ci/chart` installs. */
export const release = 'tautan';
const namespace = release;

/** The fields of a pod that tests read. */
export interface Pod {
  metadata: { name: string; uid: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { containers: { image: string }[] };
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { restartCount: number }[];
  };
}

interface Deployment {
  metadata: { name: string; generation: number; labels: Record<string, string> };
  spec: { replicas: number };
  status: Partial<Record<'observedGeneration' | 'replicas' | 'updatedReplicas' | 'readyReplicas', number>>;
}

export interface Ingress {
  spec: {
    rules: {
      host?: string;
      http: {
        paths: { path: string; pathType: string; backend: { service: { name: string; port: { name: string } } } }[];
      };
    }[];
  };
}

export interface Service {
  spec: { clusterIP: string; ports: { name: string; port: number }[] };
}

export interface Secret {
  data: Record<string, string>;
}

/** Paths of the Kubernetes API by kind. */
const paths = {
  pods: `/api/v1/namespaces/${namespace}/pods`,
  secrets: `/api/v1/namespaces/${namespace}/secrets`,
  services: `/api/v1/namespaces/${namespace}/services`,
  deployments: `/apis/apps/v1/namespaces/${namespace}/deployments`,
  ingresses: `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`,
};
type Kind = keyof typeof paths;

export const componentOf = ({ metadata }: Pick<Pod | Deployment, 'metadata'>): string =>
  metadata.labels['app.kubernetes.io/component']!;

/** Runs kubectl in the namespace of the release and returns what it prints. */
export async function kubectl(...args: string[]): Promise<string> {
  return (await run('kubectl', ['-n', namespace, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** Runs helm in the namespace of the release and returns what it prints. */
export async function helm(...args: string[]): Promise<string> {
  return (await run('helm', ['-n', namespace, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** Program and arguments that run `tautan-admin` in a pod of a workload. */
export const adminCommand = (workload: string): string[] => [
  'kubectl',
  '-n',
  namespace,
  'exec',
  `deploy/${release}-${workload}`,
  '-c',
  workload,
  '--',
  'tautan-admin',
];

/** Runs `tautan-admin` in a pod of a workload and returns what it prints. */
export async function admin(workload: string, ...args: string[]): Promise<string> {
  const [program, ...first] = adminCommand(workload);
  return (await run(program!, [...first, ...args])).stdout;
}

/** A client of the Kubernetes API through `kubectl proxy`, which needs one process instead of one per request. */
export class Cluster {
  private constructor(
    private readonly proxy: ChildProcess,
    private readonly url: string,
  ) {}

  static async open(): Promise<Cluster> {
    const proxy = spawn('kubectl', ['proxy', '--port=0', '--accept-paths=.*'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    proxy.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [, address] = await until(() => /on (127\.0\.0\.1:\d+)/.exec(output));
    return new Cluster(proxy, `http://${address}`);
  }

  close(): void {
    this.proxy.kill();
  }

  get<T>(kind: Kind, name: string): Promise<T> {
    return this.#request('GET', `${paths[kind]}/${name}`) as Promise<T>;
  }

  async list<T>(kind: Kind, selector = `app.kubernetes.io/instance=${release}`): Promise<T[]> {
    const { items } = (await this.#request('GET', `${paths[kind]}?labelSelector=${encodeURIComponent(selector)}`)) as {
      items: T[];
    };
    return items;
  }

  async patch(kind: Kind, name: string, change: object): Promise<void> {
    await this.#request('PATCH', `${paths[kind]}/${name}`, change);
  }

  async delete(kind: Kind, name: string): Promise<void> {
    await this.#request('DELETE', `${paths[kind]}/${name}`);
  }

  /** Returns the pods of a workload that are ready and not being deleted. */
  async podsOf(component: string): Promise<Pod[]> {
    const pods = await this.list<Pod>(
      'pods',
      `app.kubernetes.io/instance=${release},app.kubernetes.io/component=${component}`,
    );
    return pods.filter(({ metadata, status }) => !metadata.deletionTimestamp && isReady(status));
  }

  /** Returns the pods of all workloads of the product. */
  async allPods(): Promise<Pod[]> {
    const workloads = (await this.list<Deployment>('deployments')).map(componentOf);
    return (await this.list<Pod>('pods')).filter((pod) => workloads.includes(componentOf(pod)));
  }

  /** Returns the names of the product's workloads. */
  async workloads(): Promise<string[]> {
    return (await this.list<Deployment>('deployments')).map(componentOf);
  }

  /** Returns the names of the workloads whose pods are all up to date and ready. */
  async settledWorkloads(): Promise<string[]> {
    return (await this.list<Deployment>('deployments')).filter(isSettled).map(componentOf);
  }

  /** Resolves when all workloads are up to date and ready, and no pod is being deleted. */
  async settled(withinMs = 180_000): Promise<void> {
    await until(async () => {
      const [all, settled, pods] = await Promise.all([this.workloads(), this.settledWorkloads(), this.allPods()]);
      return settled.length === all.length && pods.every(({ metadata }) => !metadata.deletionTimestamp);
    }, withinMs);
  }

  /** Returns the metrics of a pod. */
  async metrics({ metadata }: Pod): Promise<string> {
    const response = await fetch(`${this.url}${paths.pods}/${metadata.name}:9090/proxy/metrics`);
    if (!response.ok) throw new Error(`the metrics of ${metadata.name} returned ${response.status}`);
    return response.text();
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/merge-patch+json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}

const isReady = ({ conditions = [] }: Pod['status']): boolean =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

function isSettled({ metadata, spec, status }: Deployment): boolean {
  const { observedGeneration = 0, replicas, updatedReplicas, readyReplicas } = status;
  if (observedGeneration < metadata.generation) return false;
  return [replicas, updatedReplicas, readyReplicas].every((count) => count === spec.replicas);
}

/** Returns the sum of a metric's samples. */
export const sumOf = (metrics: string, name: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
