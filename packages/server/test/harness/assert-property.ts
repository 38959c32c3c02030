import fc from 'fast-check'

/**
 * `fc.assert` for a property about a real server. A limit on time cuts a run off in the middle: it goes on by itself, and
 * has to end, and to hold, before the server is closed.
 */
export async function assertProperty<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof Values]: fc.Arbitrary<Values[K]> },
  run: (...values: Values) => Promise<void>,
  limits: fc.Parameters<Values>,
): Promise<void> {
  let last = Promise.resolve()
  await fc.assert(
    fc.asyncProperty<Values>(...arbitraries, (...values) => (last = run(...values))),
    limits,
  )
  await last
}
