import { useState } from 'react'
import { Icon } from './icon.tsx'
import type { Picture as PictureContent } from '../reading/read-block.ts'

/** A picture in the shape its place gives it. One that is missing or does not load is a calm surface. */
export function Picture({ picture, fit = 'cover' }: { picture: PictureContent | undefined; fit?: 'cover' | 'contain' }) {
  const src = picture?.src
  const [failed, setFailed] = useState<string>()
  if (src === undefined || failed === src) {
    return (
      <span className="cf-picture cf-picture--missing" aria-hidden="true">
        <Icon name="picture" />
      </span>
    )
  }
  return (
    <span className={`cf-picture cf-picture--${fit}`}>
      <img src={src} alt={picture?.alt ?? ''} loading="lazy" decoding="async" onError={() => setFailed(src)} />
    </span>
  )
}
