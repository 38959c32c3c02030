import assert from 'node:assert/strict'

/** How many of another caller's reads are answered, one after another, while this is worked on. */
export async function readsDuring(reader: { get(path: string): Promise<{ status: number }> }, work: Promise<unknown>): Promise<number> {
  const over = new AbortController()
  const end = () => over.abort()
  work.then(end, end)
  let reads = 0
  for (; !over.signal.aborted; reads++) assert.equal((await reader.get('/sync')).status, 200)
  return reads
}
