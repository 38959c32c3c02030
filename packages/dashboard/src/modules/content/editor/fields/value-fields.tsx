import { Chip, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useUrlState } from '../../../../ui/url-state.ts'
import { useEditor } from '../editor-context.tsx'
import { FieldCell } from './field-cell.tsx'
import { fieldLabel } from './field-label.ts'
import { useLocaleNames } from './locale-names.ts'
import { useTexts } from '../texts.ts'
import type { Field } from '@contentflow/core/blocks/field.ts'
import { Section } from '../../../../ui/section.tsx'
import type { Layer } from '../changes/places.ts'
import classes from '../editor.module.css'

const EVERYONE = '*'
/** Columns beside the source language that are open without being asked for. */
const FIRST_COLUMNS = 1

/** The fields of the block type, with a column for each chosen language. */
export function ValueFields() {
  const t = useTexts()
  const { fields, content } = useEditor()
  const [chosenVariant, setVariant] = useUrlState('values', EVERYONE)
  const variant = content.variants.some(({ id }) => id === chosenVariant) ? chosenVariant : null
  const { codes, columns, choose } = useColumns()
  const names = useLocaleNames()
  return (
    <Section
      title={t('values')}
      aside={
        codes.length > 0 && (
          <Chip.Group multiple value={columns} onChange={choose}>
            <Group gap={6} role="group" aria-label={t('languagesShown')}>
              {codes.map((code) => (
                <Chip key={code} value={code} size="xs" radius="sm">
                  {names(code)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        )
      }
    >
      {content.variants.length > 0 && (
        <Stack gap={4}>
          <SegmentedControl
            aria-label={t('valuesOf')}
            value={variant ?? EVERYONE}
            onChange={setVariant}
            data={[{ value: EVERYONE, label: t('sharedValues') }, ...content.variants.map(({ id }) => ({ value: id, label: id }))]}
            style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
          />
          <Text size="sm" c="dimmed">
            {variant === null ? t('sharedValuesText') : t('variantValuesText', { variant })}
          </Text>
        </Stack>
      )}
      {fields.length === 0 && <Text c="dimmed">{t('noFields')}</Text>}
      <div className={classes.fields}>
        {columns.length > 0 && (
          <div className={classes.columnHeads} style={columnCount(columns.length + 1)} aria-hidden>
            {[null, ...columns].map((locale) => (
              <Text key={locale} size="sm" fw={600} c="dimmed">
                {names(locale)}
                {locale === null && ` · ${t('sourceLanguage')}`}
              </Text>
            ))}
          </div>
        )}
        {fields.map((field) => (
          <FieldRow key={field.id} field={field} layers={[null, ...columns].map((locale) => ({ locale, variant }))} />
        ))}
      </div>
    </Section>
  )
}

/** Languages that can be shown, and those that are; the choice is in the address. */
function useColumns() {
  const { locales, source, content } = useEditor()
  const codes = useMemo(() => {
    const used = [content, ...content.variants].flatMap(({ translations }) => Object.keys(translations ?? {}))
    const known = locales.filter(({ code }) => code !== source?.code).map(({ code }) => code)
    return [
      ...known,
      ...used.filter((code, index) => used.indexOf(code) === index && !known.some((each) => each.toLowerCase() === code.toLowerCase())),
    ]
  }, [locales, source, content])
  const [text, setText] = useUrlState('locales', codes.slice(0, FIRST_COLUMNS).join(','))
  const wanted = text.split(',')
  return { codes, columns: codes.filter((code) => wanted.includes(code)), choose: (chosen: string[]) => setText(chosen.join(',')) }
}

function FieldRow({ field, layers }: { field: Field; layers: Layer[] }) {
  const t = useTexts()
  const label = fieldLabel(field)
  return (
    <div className={classes.field} role="group" aria-label={label}>
      <Group gap={6} align="baseline">
        <Text fw={500}>{label}</Text>
        {field.required && (
          <Text size="sm" c="dimmed">
            {t('required')}
          </Text>
        )}
        {field.type === 'collection' && <CollectionBounds field={field} />}
      </Group>
      <div className={classes.columns} style={columnCount(layers.length)}>
        {layers.map((layer) => (
          <FieldCell key={`${layer.locale} ${layer.variant}`} field={field} layer={layer} isAlone={layers.length === 1} />
        ))}
      </div>
    </div>
  )
}

function CollectionBounds({ field: { minItems, maxItems } }: { field: Field }) {
  const t = useTexts()
  if (minItems === undefined && maxItems === undefined) return null
  const text =
    minItems === undefined
      ? t('atMost', { max: maxItems ?? 0 })
      : maxItems === undefined
        ? t('atLeast', { min: minItems })
        : t('fromTo', { min: minItems, max: maxItems })
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  )
}

function columnCount(count: number): React.CSSProperties {
  return { '--columns': count } as React.CSSProperties
}
