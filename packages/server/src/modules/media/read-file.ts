/** Finds where the bytes of a file can be read now, in the width that was asked for. */
import { isShownInline } from '@contentflow/core/media/file-type.ts'
import { widthFor } from '@contentflow/core/media/picture.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { Library } from './library.ts'
import type { Form } from './pictures.ts'
import { addVariant, findAsset, type Asset } from './queries.ts'
import { objectOf } from './upload.ts'

type Wanted = { width: number | undefined; takesAvif: boolean }

/** Wider pictures are WebP for everybody: for 12 megapixels at a width of 1,920 AVIF took 1.2 s and 140 MB, WebP 0.4 s and 70 MB. */
const AVIF_WIDTH = 1_280

/** M-CONT-05 to M-CONT-09. */
export async function findAddress(ctx: Context, library: Library, id: string, wanted: Wanted): Promise<string> {
  const workspaceId = (await library.ownerOf(id)) ?? failWith(404, 'file not found')
  const asset = await findAsset(ctx.db, workspaceId, id)
  if (asset?.state !== 'ready' || asset.object === null) failWith(404, 'file not found')
  const { name, type } = await chooseForm(ctx, library, asset, wanted)
  const disposition = `${isShownInline(type) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(asset.file_name)}`
  // On the hour, so that a browser that asks again within one gets the same address and has its bytes already.
  const expiresAt = new Date((Math.floor(ctx.clock.ms() / HOUR_MS) + 2) * HOUR_MS)
  const address = await library.store.sign({ method: 'GET', name, type, disposition, expiresAt })
  return address ?? failWith(404, 'file not found')
}

async function chooseForm(ctx: Context, library: Library, asset: Asset, wanted: Wanted): Promise<{ name: string; type: string }> {
  const { id, mime_type: mimeType, is_animated: isAnimated } = asset
  const width = asset.placeholder === null ? null : asset.width
  const scaled = wanted.width === undefined ? undefined : widthFor(wanted.width, { mimeType, width, isAnimated })
  if (scaled === undefined) return { name: objectOf(id, asset.object ?? ''), type: mimeType }
  const form = wanted.takesAvif && scaled <= AVIF_WIDTH ? 'avif' : 'webp'
  const variant = `${scaled}.${form}`
  if (!asset.variants.includes(variant)) await makeOnce(ctx, library, asset, { variant, width: scaled, form })
  return { name: objectOf(id, variant), type: `image/${form}` }
}

type Made = { variant: string; width: number; form: Form }

/** Makes a picture once: requests that come meanwhile wait for the same. */
async function makeOnce(ctx: Context, library: Library, asset: Asset, made: Made): Promise<void> {
  const name = objectOf(asset.id, made.variant)
  const before = library.making.get(name)
  if (before) return before
  const making = make(ctx, library, asset, made, name).finally(() => library.making.delete(name))
  library.making.set(name, making)
  return making
}

async function make(ctx: Context, library: Library, asset: Asset, { variant, width, form }: Made, name: string): Promise<void> {
  const { store, pictures } = library
  await library.withFile((source) =>
    library.withFile(async (smaller) => {
      const size = await store.fetch(objectOf(asset.id, asset.object ?? ''), source, LIMITS.mediaBytes)
      if (size === undefined) failWith(404, 'file not found')
      await pictures.scale(asset.workspace_id, source, smaller, width, form)
      await store.put(name, smaller, `image/${form}`)
    }),
  )
  if (await addVariant(ctx.db, asset.workspace_id, asset.id, variant)) return
  // The file was deleted meanwhile, or another process made the picture at the same time: then its result is used.
  if (!(await findAsset(ctx.db, asset.workspace_id, asset.id))) await store.remove([name])
}

/** RFC 8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}
