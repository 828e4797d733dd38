/** A promise with its `resolve` and `reject`. Unhandled rejections are ignored. */
export class Deferred {
  resolve!: () => void;
  reject!: (error: Error) => void;
  readonly promise = new Promise<void>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  constructor() {
    this.promise.catch(() => undefined);
  }
}
