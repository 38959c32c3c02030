import { useEditor } from '../editor-context.tsx'
import { fieldLabel } from '../fields/field-label.ts'
import { useLocaleNames } from '../fields/locale-names.ts'
import type { ChangeLocation } from './places.ts'
import { useTexts } from '../texts.ts'

/** Names a place: "Title · Arabic · variant B". */
export function usePlaceNames(): (place: ChangeLocation) => string {
  const t = useTexts()
  const names = useLocaleNames()
  const { fields } = useEditor()
  return (place) => {
    if ('setting' in place) return t(`setting_${place.setting}`)
    const field = fields.find(({ tag }) => tag === place.tag)
    const parts = [field ? fieldLabel(field) : place.tag, names(place.locale)]
    return [...parts, ...(place.variant === null ? [] : [t('inVariant', { variant: place.variant })])].join(' · ')
  }
}
