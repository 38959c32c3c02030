import { Anchor, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useFormat } from '../../format.ts'
import { pictureOf, type Asset } from './api.ts'
import classes from './media.module.css'
import { useTexts } from './texts.ts'

type Point = { x: number; y: number }
type FocalPictureProps = { asset: Asset; value: Point | null; onChange: (value: Point | null) => void; isReadOnly: boolean }

const CENTRE: Point = { x: 0.5, y: 0.5 }
const STEP = 0.05
/** CSS pixels. */
const MOST_HEIGHT = 320
const MOVES: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/** The whole picture, on which the point that stays visible is chosen. */
export function FocalPicture({ asset, value, onChange, isReadOnly }: FocalPictureProps) {
  const t = useTexts()
  const format = useFormat()
  const { x, y } = value ?? CENTRE
  const set = (point: Point) => onChange({ x: toPart(point.x), y: toPart(point.y) })
  return (
    <Stack gap={6}>
      <UnstyledButton
        className={classes.focal}
        disabled={isReadOnly}
        aria-label={t('focalAt', { x: format.percent(x), y: format.percent(y) })}
        onClick={({ currentTarget, clientX, clientY, detail }) => {
          // The keyboard clicks without a place.
          if (detail === 0) return
          const { left, top, width, height } = currentTarget.getBoundingClientRect()
          set({ x: (clientX - left) / width, y: (clientY - top) / height })
        }}
        onKeyDown={(event) => {
          const move = MOVES[event.key]
          if (!move) return
          event.preventDefault()
          set({ x: x + move[0], y: y + move[1] })
        }}
      >
        <img
          src={pictureOf(asset, 960)}
          alt=""
          style={{ ...sizeOf(asset), background: asset.placeholder ? `url(${asset.placeholder}) center / cover` : undefined }}
        />
        {(value !== null || !isReadOnly) && (
          <span className={classes.point} style={{ left: `${x * 100}%`, top: `${y * 100}%`, opacity: value ? 1 : 0.6 }} />
        )}
      </UnstyledButton>
      {!isReadOnly && (
        <Group gap="xs" justify="space-between">
          <Text size="xs" c="dimmed">
            {t('focalHelp')}
          </Text>
          {value && (
            <Anchor component="button" type="button" size="xs" onClick={() => onChange(null)}>
              {t('clearFocal')}
            </Anchor>
          )}
        </Group>
      )}
    </Stack>
  )
}

/** Within the picture, in whole percents. */
function toPart(value: number): number {
  return Math.round(Math.min(Math.max(value, 0), 1) * 100) / 100
}

/** Its place is kept while it loads: what moves under the pointer cannot be clicked. */
function sizeOf({ width, height }: Asset): { width: number; aspectRatio: string } | undefined {
  if (width === null || height === null) return undefined
  return { width: Math.min(width, (MOST_HEIGHT * width) / height), aspectRatio: `${width} / ${height}` }
}
