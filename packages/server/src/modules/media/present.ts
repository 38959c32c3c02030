import { FILE_TYPES, kindOf } from '@contentflow/core/media/file-type.ts'
import { rawPath } from '@contentflow/core/media/picture.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Time, Type } from '../../http/schema.ts'

const FileKind = Type.Enum(['image', 'video', 'audio', 'other'])
const FocalPoint = Type.Object(
  { x: Type.Number({ minimum: 0, maximum: 1 }), y: Type.Number({ minimum: 0, maximum: 1 }) },
  { description: 'What stays in sight where the picture is cropped, as parts of its width and height from the top left' },
)

export const UploadBody = Type.Object(
  {
    fileName: Type.String({ minLength: 1, maxLength: 1_000 }),
    mimeType: Type.String({ minLength: 1, maxLength: 200, description: `One of ${FILE_TYPES.join(', ')}` }),
  },
  { examples: [{ fileName: 'hero.jpg', mimeType: 'image/jpeg' }] },
)
export const UploadSchema = Type.Object({
  contentId: Type.String(),
  uploadUrl: Type.String({ description: `Send the bytes there with PUT within ${LIMITS.uploadSeconds / 60} minutes; no token is needed` }),
  method: Type.Literal('PUT'),
  headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent with the bytes' }),
  expiresAt: Time,
})
export const FinalizeBody = Type.Object({ contentId: Type.String({ minLength: 1, maxLength: 100 }) })

export const AssetSchema = Type.Object({
  contentId: Type.String(),
  url: Type.String({ description: 'The durable address, for image fields' }),
  fileName: Type.String(),
  mimeType: Type.String(),
  kind: FileKind,
  size: Type.Integer({ description: 'Bytes' }),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  placeholder: Nullable(Type.String({ description: 'A few blurred pixels as a data address' })),
  focalPoint: Nullable(FocalPoint),
  alt: Type.Record(Type.String(), Type.String(), { description: 'Words for who does not see it, by language' }),
  createdAt: Time,
  updatedAt: Time,
})
export const AssetPageSchema = Type.Object({
  ...AssetSchema.properties,
  usedBy: Type.Object({
    instances: Type.Array(Type.Object({ id: Type.String(), blockKey: Type.String(), title: Type.String() })),
    instanceCount: Type.Integer(),
    campaigns: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), { description: 'The first that are not over' }),
  }),
})
export const ChangeBody = Type.Partial(
  Type.Object({
    fileName: Type.String({ minLength: 1, maxLength: 1_000 }),
    alt: Type.Record(Type.String(), Nullable(Type.String({ maxLength: LIMITS.altTextLength }))),
    focalPoint: Nullable(FocalPoint),
  }),
)

export type PresentedAsset = {
  id: string
  file_name: string
  mime_type: string
  size: number | null
  width: number | null
  height: number | null
  placeholder: string | null
  focal_x: number | null
  focal_y: number | null
  alt: unknown
  created_at: Date
  updated_at: Date
}

/** `base`: the address of this server. */
export function presentAsset(asset: PresentedAsset, base: string) {
  const { id, focal_x: x, focal_y: y } = asset
  return {
    contentId: id,
    url: `${base}${rawPath(id)}`,
    fileName: asset.file_name,
    mimeType: asset.mime_type,
    kind: kindOf(asset.mime_type),
    size: asset.size ?? 0,
    width: asset.width,
    height: asset.height,
    placeholder: asset.placeholder,
    focalPoint: x === null || y === null ? null : { x, y },
    alt: asset.alt as Record<string, string>,
    createdAt: asset.created_at,
    updatedAt: asset.updated_at,
  }
}
