type Result<T> = IteratorResult<T, void>;

/**
 * One async generator of what a generator of batches holds, item by item. Requests are answered in their order, a batch
 * is read as far as it is asked for, and an error in it ends the batches as well. What is in memory costs one promise an
 * item, where a generator would take several turns of the microtask queue.
 */
export class FlatStream<T> implements AsyncGenerator<T, void, undefined> {
  readonly #batches: AsyncGenerator<Iterator<T, void>, void, undefined>;
  #batch: Iterator<T, void> | undefined;
  /** Requests that are not answered yet. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(batches: AsyncGenerator<Iterator<T, void>, void, undefined>) {
    this.#batches = batches;
  }

  next(): Promise<Result<T>> {
    if (this.#waiting > 0 || this.#batch === undefined) return this.#inTurn(() => this.#pull());
    try {
      const result = this.#batch.next();
      return result.done ? this.#inTurn(() => this.#pull()) : Promise.resolve(result);
    } catch (error) {
      return this.throw(error);
    }
  }

  return(value?: undefined | PromiseLike<void>): Promise<Result<T>> {
    return this.#inTurn(() => this.#end(this.#batches.return(value)));
  }

  throw(error: unknown): Promise<Result<T>> {
    return this.#inTurn(() => this.#end(this.#batches.throw(error)));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #pull(): Promise<Result<T>> {
    for (;;) {
      try {
        const result = this.#batch?.next();
        if (result !== undefined && !result.done) return result;
      } catch (error) {
        return this.#end(this.#batches.throw(error));
      }
      const { done, value } = await this.#batches.next();
      if (done) return this.#end(Promise.resolve({ done, value }));
      this.#batch = value;
    }
  }

  async #end(ended: Promise<IteratorResult<unknown, void>>): Promise<Result<T>> {
    this.#batch = undefined;
    await ended;
    return { done: true, value: undefined };
  }

  /** Answers a request when all before it are answered. */
  async #inTurn(answer: () => Promise<Result<T>>): Promise<Result<T>> {
    this.#waiting += 1;
    const turn = this.#waiting === 1 ? answer() : this.#last.then(answer, answer);
    this.#last = turn;
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}
