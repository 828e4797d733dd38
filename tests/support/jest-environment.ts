import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { createRequire } from 'node:module';
import vm from 'node:vm';

const require = createRequire(import.meta.url);
const { compileFunction, SourceTextModule, SyntheticModule } = vm;
const sharedModules = new Map<string, { source: string; module: vm.SourceTextModule }>();

/**
 * Returns whether suites share the instance of a module: true for third-party packages except those of Jest, and for
 * our packages `plans` and `proto` except their tests.
 */
const isShared = (file = ''): boolean =>
  /[/\\]node_modules[/\\](?!@jest[/\\]|jest-|expect[/\\])/.test(file) ||
  /[/\\](plans|proto)[/\\]dist[/\\](?!.*\.test\.)/.test(file);

/** Returns a new module, or the one that an earlier suite has loaded if suites share it. */
function createModule(source: string, options: vm.SourceTextModuleOptions): vm.SourceTextModule {
  const file = options.identifier!;
  // A dynamic import belongs to the suite that created the module.
  if (!isShared(file) || /\bimport\s*\(/.test(source)) return new SourceTextModule(source, options);
  const known = sharedModules.get(file);
  if (known?.source === source && known.module.status === 'evaluated') {
    // With Node.js 22 or later, Jest links modules by these members. Nothing is left to be linked.
    const linked = { moduleRequests: [], linkRequests: () => undefined, instantiate: () => undefined };
    for (const [name, value] of Object.entries(linked))
      Object.defineProperty(known.module, name, { value, configurable: true });
    return known.module;
  }
  const module = new SourceTextModule(source, options);
  sharedModules.set(file, { source, module });
  return module;
}

// Without a context, code runs in that of the worker.
Object.assign(vm, {
  compileFunction: (source: string, parameters: string[], { filename, ...options }: vm.CompileFunctionOptions) =>
    isShared(filename)
      ? (module: NodeJS.Module) => void (module.exports = require(filename!) as unknown)
      : compileFunction(source, parameters, { ...options, filename, parsingContext: undefined }),

  SourceTextModule: new Proxy(SourceTextModule, {
    construct: (_, [source, options]: [string, vm.SourceTextModuleOptions]) =>
      createModule(source, { ...options, context: undefined }),
  }),

  SyntheticModule: class extends SyntheticModule {
    constructor(...[names, evaluate, options]: ConstructorParameters<typeof SyntheticModule>) {
      super(names, evaluate, { ...options, context: undefined });
    }
  },
});

/** Returns the listeners of the process by event. */
const listeners = () => new Map(process.eventNames().map((name) => [name, process.rawListeners(name as string)]));

/**
 * The environment of all suites. Jest's own creates a context for each suite and loads all modules again in it, which
 * takes half of the processor time of the suites. This one runs the suites of a worker in the same context, and packages
 * are loaded once. A suite still has its own instance of each of our modules that can have state, and what it changes
 * in the process is restored after it.
 */
export default class WorkerEnvironment implements JestEnvironment {
  global = globalThis as unknown as JestEnvironment['global'];
  fakeTimers = null;
  fakeTimersModern: ModernFakeTimers | null;
  moduleMocker: ModuleMocker | null = new ModuleMocker(this.global);
  readonly #restore: () => void;

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const globals = Object.getOwnPropertyDescriptors(globalThis);
    const processExit = Object.getOwnPropertyDescriptor(process, 'exit')!;
    const { exitCode } = process;
    const env = { ...process.env };
    const before = listeners();
    this.#restore = () => {
      for (const name of Reflect.ownKeys(globalThis)) if (!(name in globals)) Reflect.deleteProperty(globalThis, name);
      Object.defineProperty(globalThis, 'console', globals.console);
      Object.defineProperty(process, 'exit', processExit);
      process.exitCode = exitCode;
      for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
      Object.assign(process.env, env);
      for (const [name, current] of listeners())
        for (const listener of current)
          if (!before.get(name)?.includes(listener)) process.removeListener(name, listener as () => void);
    };
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern?.dispose();
    this.moduleMocker?.restoreAllMocks();
    this.fakeTimersModern = null;
    this.moduleMocker = null;
    this.#restore();
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** Returns a value that is not null until the teardown, as Jest requires. It is not used as a context. */
  getVmContext(): vm.Context | null {
    return this.moduleMocker && {};
  }
}
