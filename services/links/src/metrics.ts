import { Counter, Gauge, type Registry } from '@tautan/kit';

/** A counter whose values are kept elsewhere, by one label. */
export function totals<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: L,
  read: () => Record<string, number>,
): void {
  // prettier-ignore
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, count] of Object.entries(read())) this.inc({ [label]: key } as never, count);
    },
  });
}

/** A gauge that is read when it is asked for. */
export function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
