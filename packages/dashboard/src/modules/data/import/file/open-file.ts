/** The page's side of the worker that reads a file. */
import type { SentColumn } from './conversions.ts'
import type { Choice, Shape, TableFault } from './read-table.ts'
import type { Ask, Told } from './table-worker.ts'

export type OpenFile = {
  name: string
  /** The file itself, to be read in another way. */
  original: File
  shape: Shape
  /** Rows from `from` on, of these columns: as many as one request should carry. */
  chunk(from: number, columns: SentColumn[]): Promise<string[][]>
  /** Reads whole rows by their numbers. */
  rows(numbers: number[]): Promise<string[][]>
  close(): void
}
export type Opened = { ok: true; file: OpenFile } | ({ ok: false } & TableFault)

/** The value for the `accept` attribute of an input. */
export const ACCEPT =
  '.csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Unnumbered<T> = T extends unknown ? Omit<T, 'number'> : never

/** Rejects when the browser cannot give the file out, as when it was moved away meanwhile. */
export async function openFile(file: File, choice: Choice = {}): Promise<Opened> {
  const { ask, close } = startWorker()
  const read = await ask<{ ok: true; shape: Shape } | ({ ok: false } & TableFault)>({ ask: 'open', file, choice }).catch(
    (error: unknown) => {
      close()
      throw error
    },
  )
  if (!read.ok) {
    close()
    return read
  }
  const open: OpenFile = {
    name: file.name,
    original: file,
    shape: read.shape,
    chunk: (from, columns) => ask({ ask: 'chunk', from, columns }),
    rows: (numbers) => ask({ ask: 'rows', numbers }),
    close,
  }
  return { ok: true, file: open }
}

function startWorker() {
  const worker = new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  const failAll = (reason: string) => {
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  worker.addEventListener('message', ({ data: { number, value, error } }: MessageEvent<Told>) => {
    const asked = waiting.get(number)
    waiting.delete(number)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(new Error(error))
  })
  worker.addEventListener('error', ({ message }) => failAll(message))
  return {
    ask: <T>(asked: Unnumbered<Ask>): Promise<T> => {
      const number = ++count
      const answer = Promise.withResolvers<unknown>()
      waiting.set(number, answer)
      worker.postMessage({ ...asked, number })
      return answer.promise as Promise<T>
    },
    close: () => {
      worker.terminate()
      failAll('the file was closed')
    },
  }
}
