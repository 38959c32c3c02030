/** Reads a file beside the page, which stays quick meanwhile. */
import type { SentColumn } from './conversions.ts'
import { chunkOf, readTable, type Choice, type Read, type Table } from './read-table.ts'

export type Ask = { number: number } & (
  { ask: 'open'; file: File; choice: Choice } | { ask: 'chunk'; from: number; columns: SentColumn[] } | { ask: 'rows'; numbers: number[] }
)
export type Told = { number: number; value?: unknown; error?: string }

let table: Table | undefined

self.addEventListener('message', ({ data }: MessageEvent<Ask>) => {
  void answer(data).then(
    (value) => self.postMessage({ number: data.number, value } satisfies Told),
    (error: unknown) => self.postMessage({ number: data.number, error: String(error) } satisfies Told),
  )
})

async function answer(asked: Ask): Promise<unknown> {
  if (asked.ask === 'open') return open(asked.file, asked.choice)
  if (!table) throw new Error('no file is open')
  if (asked.ask === 'chunk') return chunkOf(table, asked.from, asked.columns)
  return asked.numbers.map((number) => table?.rows[number - 1] ?? [])
}

/** Only the description of the file is passed to the page; its rows stay here. */
async function open(file: File, choice: Choice) {
  table = undefined
  const read: Read = await readTable(new Uint8Array(await file.arrayBuffer()), choice)
  if (!read.ok) return read
  table = read.table
  return { ok: true, shape: table.shape }
}
