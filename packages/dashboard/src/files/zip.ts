/** Reads the files inside a zip archive, as spreadsheets are; the browser itself inflates them. */

type Entry = { at: number; size: number; method: number }
export type Zip = {
  names: string[]
  /** The text of a file in it, in pieces as they are inflated. Undefined when there is no file of that name. */
  stream(name: string): AsyncIterable<string> | undefined
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const STORED = 0
const DEFLATED = 8

/** Undefined when this is no archive, or one of a kind that spreadsheets do not write. */
export function openZip(bytes: Uint8Array<ArrayBuffer>): Zip | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = readDirectory(view)
  return (
    entries && {
      names: [...entries.keys()],
      stream: (name) => {
        const entry = entries.get(name)
        return entry && inflate(bytes, view, entry)
      },
    }
  )
}

function readDirectory(view: DataView): Map<string, Entry> | undefined {
  const end = findEnd(view)
  if (end === undefined) return undefined
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL) return undefined
    const length = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, length))
    entries.set(name, { at: view.getUint32(at + 42, true), size: view.getUint32(at + 20, true), method: view.getUint16(at + 10, true) })
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) if (view.getUint32(at, true) === END) return at
  return undefined
}

async function* inflate(bytes: Uint8Array<ArrayBuffer>, view: DataView, { at, size, method }: Entry): AsyncIterable<string> {
  if (method !== STORED && method !== DEFLATED) throw new Error('the archive is packed in a way that is not known')
  // The lengths of name and extra field are repeated here, and can differ.
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  const packed = new Blob([bytes.subarray(start, start + size)]).stream()
  const plain = method === STORED ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'))
  const reader = plain.getReader()
  const decoder = new TextDecoder()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield decoder.decode(piece.value, { stream: true })
  yield decoder.decode()
}
