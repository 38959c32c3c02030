/**
 * A ZIP as it is written: nothing of it is kept but one line for each file (APPNOTE.TXT 6.3.10, 4.3). What is not known when a file
 * begins stands behind it, as bit 3 of its flags says. Without ZIP64, so a file and the whole take less than 4 GiB.
 */
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** `content`: its text, piece by piece. */
export type ZipFile = { name: string; content: AsyncIterable<string> | Iterable<string> }
type Written = { name: Buffer; crc: number; packed: number; size: number; at: number }

const [DEFLATE, FLAGS, VERSION] = [8, 0x0808, 20]
const MOST_BYTES = 0xffff_ffff
const MOST_FILES = 0xffff

/** The bytes of a ZIP of these files, which are read one after the other as their bytes are taken. */
export async function* zipOf(files: AsyncIterable<ZipFile>, at: Date): AsyncGenerator<Buffer> {
  const time = dosTime(at)
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of files) {
    const file: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at: offset }
    const head = Buffer.concat([words(4, 0x0403_4b50), middleOf(file, time, true), file.name])
    yield head
    for await (const piece of deflated(content, file)) yield piece
    const tail = words(4, 0x0807_4b50, file.crc, file.packed, file.size)
    yield tail
    offset += head.length + file.packed + tail.length
    written.push(file)
    if (offset > MOST_BYTES || file.size > MOST_BYTES || written.length > MOST_FILES) throw new Error('a ZIP without ZIP64 takes 4 GiB')
  }
  const directory = Buffer.concat(
    written.map((file) =>
      // Made by version 2.0; no comment, one disk, no attributes.
      Buffer.concat([
        words(4, 0x0201_4b50),
        words(2, VERSION),
        middleOf(file, time, false),
        words(2, 0, 0, 0),
        words(4, 0, file.at),
        file.name,
      ]),
    ),
  )
  yield directory
  yield Buffer.concat([
    words(4, 0x0605_4b50),
    words(2, 0, 0, written.length, written.length),
    words(4, directory.length, offset),
    words(2, 0),
  ])
}

/** What the head of a file and its line in the directory both say; in the head the sums are not known yet. */
function middleOf({ name, crc, packed, size }: Written, time: [number, number], isHead: boolean): Buffer {
  const sums = isHead ? [0, 0, 0] : [crc, packed, size]
  return Buffer.concat([words(2, VERSION, FLAGS, DEFLATE, ...time), words(4, ...sums), words(2, name.length, 0)])
}

/** Sums up what goes through. An error of the content is thrown here. */
async function* deflated(content: ZipFile['content'], file: Written): AsyncGenerator<Buffer> {
  const summed = async function* () {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      file.crc = crc32(bytes, file.crc)
      file.size += bytes.length
      yield bytes
    }
  }
  const deflate = createDeflateRaw()
  // The loop below throws what went wrong.
  pipeline(Readable.from(summed()), deflate, () => {})
  for await (const piece of deflate as AsyncIterable<Buffer>) {
    file.packed += piece.length
    yield piece
  }
}

/** Numbers of so many bytes each, the lowest byte first. */
function words(bytes: 2 | 4, ...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(bytes * numbers.length)
  numbers.forEach((number, index) => buffer.writeUIntLE(number, index * bytes, bytes))
  return buffer
}

/** As MS-DOS writes moments: two seconds exact, from 1980 on. */
function dosTime(at: Date): [time: number, day: number] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [time, ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()]
}
