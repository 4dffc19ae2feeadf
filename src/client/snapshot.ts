/** Stands for params that have no form in JSON. */
export const UNWRITABLE: unique symbol = Symbol('no JSON');

/**
 * The params as JSON will have them, taken once: what is judged is what is sent, whatever the caller's objects do
 * later. Getters and `toJSON` have their say here, holes in lists become null, what JSON has no form for is left out.
 */
export function snapshot(params: unknown): unknown {
  if (params === undefined) return {};
  try {
    const text: string | undefined = JSON.stringify(params);
    return text === undefined ? UNWRITABLE : JSON.parse(text);
  } catch {
    return UNWRITABLE;
  }
}
