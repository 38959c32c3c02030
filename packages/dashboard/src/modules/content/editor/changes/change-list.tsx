import { Stack, Text, VisuallyHidden } from '@mantine/core'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { Frequency, Variant } from '@contentflow/core/blocks/instance.ts'
import { useFormat } from '../../../../format.ts'
import type { Change } from './changes.ts'
import { useEditor } from '../editor-context.tsx'
import { useDirections } from '../fields/locale-names.ts'
import { usePlaceNames } from './place-names.ts'
import { placeKey, type ChangeLocation, type Setting } from './places.ts'
import { ShownValue } from '../fields/shown-value.tsx'
import { useTexts } from '../texts.ts'
import { sharesOf } from '../delivery/variant-shares.ts'
import classes from '../editor.module.css'

type ListProps = {
  changes: readonly Change[]
  label: string
  /** Shows the whole content, where nothing was before. */
  isWhole?: boolean
}

/** The changes one by one: the old value under the new. */
export function ChangeList({ changes, label, isWhole = false }: ListProps) {
  const t = useTexts()
  const names = usePlaceNames()
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noDifference')}
      </Text>
    )
  return (
    <Stack gap="sm" component="ul" className={classes.changes} aria-label={label}>
      {changes.map(({ place, before, after }) => (
        <li key={placeKey(place)}>
          <Text size="sm" fw={500}>
            {names(place)}
          </Text>
          {isWhole ? (
            <PlaceValue place={place} value={after} />
          ) : (
            <>
              <del className={classes.before}>
                <VisuallyHidden>{t('before')}: </VisuallyHidden>
                <PlaceValue place={place} value={before} />
              </del>
              <ins className={classes.after}>
                <VisuallyHidden>{t('after')}: </VisuallyHidden>
                <PlaceValue place={place} value={after} />
              </ins>
            </>
          )}
        </li>
      ))}
    </Stack>
  )
}

export function PlaceValue({ place, value }: { place: ChangeLocation; value: Json | undefined }) {
  const { fields } = useEditor()
  const direction = useDirections()
  if ('setting' in place) return <SettingValue setting={place.setting} value={value} />
  return (
    <div {...direction(place.locale)} style={{ textAlign: 'start' }}>
      <ShownValue field={fields.find(({ tag }) => tag === place.tag)} value={value} />
    </div>
  )
}

function SettingValue({ setting, value }: { setting: Setting; value: Json | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const text = () => {
    switch (setting) {
      case 'seg':
        return typeof value === 'string' && value !== '' ? value : t('everyone')
      case 'startTime':
        return typeof value === 'string' ? format.moment(value) : t('startEmpty')
      case 'endTime':
        return typeof value === 'string' ? format.moment(value) : t('endEmpty')
      case 'frequency': {
        const frequency = value as Frequency | null | undefined
        return frequency ? t('timesPer', { times: frequency.max, per: t(`per_${frequency.per}`) }) : t('per_default')
      }
      case 'variants': {
        const variants = (value ?? []) as Pick<Variant, 'id' | 'weight'>[]
        const shares = sharesOf(variants)
        return variants.length === 0
          ? t('nothing')
          : variants.map(({ id }, index) => `${id} ${format.percent(shares[index] ?? 0)}`).join(' · ')
      }
      default:
        return typeof value === 'number' ? format.number(value) : typeof value === 'string' && value !== '' ? value : t('nothing')
    }
  }
  return (
    <Text size="sm" dir="auto" className="cf-foreign">
      {text()}
    </Text>
  )
}
