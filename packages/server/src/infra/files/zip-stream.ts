/**
 * A ZIP as it is written: nothing of it is kept but one line for each file (APPNOTE.TXT 6.3.10, 4.3). What is not known when a file
 * begins stands behind it, as bit 3 of its flags says. ZIP64 stands only where a number has no room otherwise, so that programs
 * that do not know it read everything below 4 GiB.
 */
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** `content`: its text, piece by piece. */
export type ZipFile = { name: string; content: AsyncIterable<string> | Iterable<string> }
type Written = { name: Buffer; crc: number; packed: number; size: number; at: number }

const [DEFLATE, FLAGS, VERSION, VERSION_64] = [8, 0x0808, 20, 45]
/** What a number says that stands in ZIP64. */
const [ELSEWHERE, ELSEWHERE_COUNT] = [0xffff_ffff, 0xffff]

/** From these numbers on ZIP64 is written. */
export type ZipLimits = { bytes: number; files: number }
const LIMITS: ZipLimits = { bytes: ELSEWHERE, files: ELSEWHERE_COUNT }

/** The bytes of a ZIP of these files, which are read one after the other as their bytes are taken. */
export async function* zipOf(files: AsyncIterable<ZipFile>, at: Date, limits: ZipLimits = LIMITS): AsyncGenerator<Buffer> {
  const time = dosTime(at)
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of files) {
    const file: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at: offset }
    const sums = words(4, 0, 0, 0)
    const head = Buffer.concat([words(4, 0x0403_4b50), middleOf(file, time, { sums, version: VERSION, extra: 0 }), file.name])
    yield head
    for await (const piece of deflated(content, file)) yield piece
    const isLarge = file.packed >= limits.bytes || file.size >= limits.bytes
    const tail = Buffer.concat([words(4, 0x0807_4b50, file.crc), (isLarge ? words8 : words4)(file.packed, file.size)])
    yield tail
    offset += head.length + file.packed + tail.length
    written.push(file)
  }
  const directory = Buffer.concat(written.map((file) => lineOf(file, time, limits)))
  yield directory
  yield endOf({ count: written.length, length: directory.length, offset }, limits)
}

/** Of a file in the directory. */
function lineOf(file: Written, time: [number, number], { bytes: most }: ZipLimits): Buffer {
  const { name, crc, packed, size, at } = file
  const large = [size, packed, at].filter((number) => number >= most)
  const short = (number: number) => (number >= most ? ELSEWHERE : number)
  const extra = large.length === 0 ? Buffer.alloc(0) : Buffer.concat([words(2, 1, 8 * large.length), words8(...large)])
  const version = large.length === 0 ? VERSION : VERSION_64
  const sums = words(4, crc, short(packed), short(size))
  // No comment, one disk, no attributes.
  return Buffer.concat([
    words(4, 0x0201_4b50),
    words(2, version),
    middleOf(file, time, { sums, version, extra: extra.length }),
    words(2, 0, 0, 0),
    words(4, 0, short(at)),
    name,
    extra,
  ])
}

type Directory = { count: number; length: number; offset: number }

function endOf({ count, length, offset }: Directory, { bytes, files }: ZipLimits): Buffer {
  const isLarge = count >= files || length >= bytes || offset >= bytes
  const long = isLarge
    ? [
        words(4, 0x0606_4b50),
        words8(44),
        words(2, VERSION_64, VERSION_64),
        words(4, 0, 0),
        words8(count, count, length, offset),
        words(4, 0x0706_4b50, 0),
        words8(offset + length),
        words(4, 1),
      ]
    : []
  const shortCount = count >= files ? ELSEWHERE_COUNT : count
  return Buffer.concat([
    ...long,
    words(4, 0x0605_4b50),
    words(2, 0, 0, shortCount, shortCount),
    words(4, length >= bytes ? ELSEWHERE : length, offset >= bytes ? ELSEWHERE : offset),
    words(2, 0),
  ])
}

/** `sums`: in the head of a file they are not known yet. `extra`: how many bytes stand behind the name. */
type Middle = { sums: Buffer; version: number; extra: number }

/** What the head of a file and its line in the directory both say. */
function middleOf({ name }: Written, time: [number, number], { sums, version, extra }: Middle): Buffer {
  return Buffer.concat([words(2, version, FLAGS, DEFLATE, ...time), sums, words(2, name.length, extra)])
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

const words4 = (...numbers: readonly number[]) => words(4, ...numbers)

/** The same of numbers of eight bytes. */
function words8(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(8 * numbers.length)
  numbers.forEach((number, index) => buffer.writeBigUInt64LE(BigInt(number), index * 8))
  return buffer
}

/** As MS-DOS writes moments: two seconds exact, from 1980 on. */
function dosTime(at: Date): [time: number, day: number] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [time, ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()]
}
