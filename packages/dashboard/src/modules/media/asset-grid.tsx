import { Button, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconFile, IconMusic, IconVideo } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { Pages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { Failure } from '../../ui/failure.tsx'
import { useTexts as useCommonTexts } from '../../ui/texts.ts'
import { pictureOf, type Asset } from './api.ts'
import classes from './media.module.css'
import { useTexts } from './texts.ts'

type AssetGridProps = { pages: Pages<Asset>; onOpen: (asset: Asset) => void; empty: ReactNode; label: string }

/** Files as people know them: by what they look like. */
export function AssetGrid({ pages, onOpen, empty, label }: AssetGridProps) {
  const common = useCommonTexts()
  const format = useFormat()
  if (pages.error && pages.items.length === 0) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading)
    return (
      <div className={classes.grid} aria-busy aria-label={common('loading')} role="status">
        {Array.from({ length: 6 }, (_, each) => (
          <Skeleton key={each} height={190} radius="md" />
        ))}
      </div>
    )
  if (pages.items.length === 0) return empty
  return (
    <Stack>
      <ul className={classes.grid} aria-label={label}>
        {pages.items.map((asset) => (
          <li key={asset.contentId}>
            <Card asset={asset} onOpen={() => onOpen(asset)} />
          </li>
        ))}
      </ul>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {pages.total !== undefined &&
            common('shown', { shown: format.number(pages.items.length), total: format.number(Math.max(pages.total, pages.items.length)) })}
        </Text>
        {pages.hasMore && (
          <Button variant="default" onClick={pages.loadMore} loading={pages.isMoreLoading}>
            {common('showMore')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Card({ asset, onOpen }: { asset: Asset; onOpen: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const { fileName, size, width, height, kind, alt } = asset
  return (
    <UnstyledButton className={classes.card} onClick={onOpen} title={fileName}>
      <AssetPicture asset={asset} />
      <span className={classes.caption}>
        <Text span size="sm" fw={600} truncate display="block">
          <bdi>{fileName}</bdi>
        </Text>
        <Text span size="xs" c="dimmed" display="block">
          {format.bytes(size)}
          {width !== null && height !== null && ` · ${t('pixels', { width, height })}`}
        </Text>
        {kind === 'image' && Object.keys(alt).length === 0 && (
          <Text span size="xs" c="dimmed" fs="italic" display="block">
            {t('noAlt')}
          </Text>
        )}
      </span>
    </UnstyledButton>
  )
}

const ICONS = { image: IconFile, video: IconVideo, audio: IconMusic, other: IconFile }

/** The picture with its focal point in view; blurred until it is loaded. Other files get an icon of their kind. */
function AssetPicture({ asset }: { asset: Asset }) {
  const [isBroken, setBroken] = useState(false)
  const { kind, focalPoint, placeholder } = asset
  const Sign = ICONS[kind]
  const isPicture = kind === 'image' && !isBroken
  return (
    <span className={classes.picture} style={isPicture && placeholder ? { backgroundImage: `url(${placeholder})` } : undefined}>
      {isPicture ? (
        <img
          src={pictureOf(asset, 480)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          style={focalPoint ? { objectPosition: `${focalPoint.x * 100}% ${focalPoint.y * 100}%` } : undefined}
        />
      ) : (
        <Sign size={40} stroke={1.3} aria-hidden />
      )}
    </span>
  )
}
