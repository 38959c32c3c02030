import { useState } from 'react'
import type { DesignType } from '@contentflow/core/blocks/definition.ts'
import { DesignPicture } from './design-picture.tsx'
import classes from './content.module.css'

/** The first image of an instance; where it has none, or it cannot be loaded, what kind of block it is. */
export function Thumbnail({ image, design }: { image: string | null; design: DesignType | null }) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span className={classes.thumbnail}>
      {image && image !== failed ? (
        <img src={image} alt="" loading="lazy" decoding="async" referrerPolicy="no-referrer" onError={() => setFailed(image)} />
      ) : (
        <DesignPicture design={design} />
      )}
    </span>
  )
}
