import { TestEnvironment } from 'jest-environment-node';
import vm from 'node:vm';

interface Compiled {
  source: string;
  cachedData: Buffer;
}

/** `vm.SourceTextModule` with a method that the types of Node.js 20 lack. */
interface CacheableModule extends vm.SourceTextModule {
  createCachedData: () => Buffer;
}

/** The code that this worker has compiled, by file. */
const compiled = new Map<string, Compiled>();

/** Returns the compiled code of a source. */
function find(file: string | undefined, source: string): Buffer | undefined {
  const known = compiled.get(file ?? '');
  return known?.source === source ? known.cachedData : undefined;
}

/** Stores compiled code, unless the source has a dynamic import: V8 does not restore the callback that resolves it. */
function store(file: string | undefined, source: string, cachedData: Buffer | undefined): void {
  if (file && cachedData && !/\bimport\s*\(/.test(source)) compiled.set(file, { source, cachedData });
}

const { compileFunction, SourceTextModule } = vm;

/**
 * Jest loads all modules again for each suite. Reusing their compiled code (see `cachedData` in the documentation of
 * `node:vm`) saves a tenth of the processor time of the suites. V8 rejects the code if its flags have changed since,
 * which some services do at their start.
 */
Object.assign(vm, {
  compileFunction(source: string, parameters: string[], options: vm.CompileFunctionOptions) {
    const cachedData = find(options.filename, source);
    const result = compileFunction(source, parameters, { ...options, cachedData, produceCachedData: !cachedData });
    if (result.cachedDataRejected) compiled.delete(options.filename!);
    else if (!cachedData) store(options.filename, source, result.cachedData);
    return result;
  },

  SourceTextModule: new Proxy(SourceTextModule, {
    construct(Module, [source, options]: [string, vm.SourceTextModuleOptions]) {
      const cachedData = find(options.identifier, source);
      try {
        if (cachedData) return new Module(source, { ...options, cachedData });
      } catch {
        compiled.delete(options.identifier!);
      }
      const module = new Module(source, options) as CacheableModule;
      store(options.identifier, source, module.createCachedData());
      return module;
    },
  }),
});

/** The environment of all suites: that of Jest for Node.js, in workers that compile each module once. */
export default TestEnvironment;
