import { Tooltip } from '@mantine/core'
import { IconPhoto, IconPhotoOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { imageFault } from '@contentflow/core/blocks/links/safe-url.ts'
import { useTexts } from '../texts.ts'
import classes from '../editor.module.css'

/** A small picture of an address; says so when it cannot be loaded. */
export function Thumbnail({ url, isFaint = false }: { url: string; isFaint?: boolean }) {
  const t = useTexts()
  const [isBroken, setBroken] = useState(false)
  useEffect(() => setBroken(false), [url])
  const isUsable = url !== '' && imageFault(url) === undefined
  if (!isUsable)
    return (
      <span className={classes.thumbnail}>
        <IconPhoto size={18} stroke={1.5} aria-hidden />
      </span>
    )
  if (isBroken)
    return (
      <Tooltip label={t('imageBroken')}>
        <span className={classes.thumbnail} role="img" aria-label={t('imageBroken')}>
          <IconPhotoOff size={18} stroke={1.5} aria-hidden />
        </span>
      </Tooltip>
    )
  return <img src={url} alt="" className={classes.thumbnail} style={{ opacity: isFaint ? 0.45 : 1 }} onError={() => setBroken(true)} />
}
