/** Pictures are looked into and made smaller by libvips, in threads of its own, one row of pixels after another. */
import { pictureFault } from '@contentflow/core/media/picture.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError, failWith } from '../../errors.ts'
import { FairLimiter } from '../../infra/concurrency/fair-limiter.ts'

export type Picture = { width: number; height: number; isAnimated: boolean; placeholder: string | null }
export type Form = 'webp' | 'avif'

/** One picture is worked on no longer than this. */
const MOST_SECONDS = 20
const PLACEHOLDER_PIXELS = 16

export class Pictures {
  readonly #few = new FairLimiter({
    all: 2,
    waitMs: 20_000,
    mostWaiting: 50,
    refuse: () => {
      throw new ApiError(503, 'Too many pictures are being made just now, please try again', undefined, 5)
    },
  })

  /** Undefined when the file has no picture that can be read. `asker`: the workspace in whose name it waits. */
  inspect(asker: string, file: string): Promise<Picture | undefined> {
    return this.#few.take(asker, () => inspect(file))
  }

  scale(asker: string, file: string, into: string, width: number, form: Form): Promise<void> {
    return this.#few.take(asker, () => scale(file, into, width, form))
  }
}

/** Loaded by the first picture, because most processes never see one. */
async function openSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return (file: string, limitInputPixels: number | false = LIMITS.picturePixels) =>
    sharp(file, { limitInputPixels, sequentialRead: true, failOn: 'error' }).timeout({ seconds: MOST_SECONDS })
}

async function inspect(file: string): Promise<Picture | undefined> {
  const open = await openSharp()
  // Only the head is read here, for the size of the picture, which is checked and reported.
  const found = await open(file, false)
    .metadata()
    .catch(() => undefined)
  if (!found) return undefined
  const { autoOrient, pageHeight, pages = 1 } = found
  const height = pages > 1 ? (pageHeight ?? autoOrient.height) : autoOrient.height
  const fault = pictureFault({ width: autoOrient.width, height })
  if (fault) failWith(400, fault)
  return { width: autoOrient.width, height, isAnimated: pages > 1, placeholder: await makePlaceholder(open, file) }
}

/** Null when the head of the picture can be read but the rest cannot: then no smaller picture is made. */
async function makePlaceholder(open: Awaited<ReturnType<typeof openSharp>>, file: string): Promise<string | null> {
  const made = await open(file)
    .autoOrient()
    .resize(PLACEHOLDER_PIXELS, PLACEHOLDER_PIXELS, { fit: 'inside' })
    .blur(1)
    .webp({ quality: 40, effort: 4 })
    .toBuffer()
    .catch(() => undefined)
  return made ? `data:image/webp;base64,${made.toString('base64')}` : null
}

async function scale(file: string, into: string, width: number, form: Form): Promise<void> {
  const open = await openSharp()
  const smaller = open(file).autoOrient().resize({ width, withoutEnlargement: true })
  await (form === 'avif' ? smaller.avif({ quality: 55, effort: 2 }) : smaller.webp({ quality: 80, effort: 4 })).toFile(into)
}
